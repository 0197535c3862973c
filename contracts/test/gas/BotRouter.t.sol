// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {GasTest} from "../setup/GasTest.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";

contract BotRouterGasTest is BotRouterTest, GasTest {
    function setUp() public override(BotRouterTest, RouterTest) {
        BotRouterTest.setUp();
    }

    function test_gas() external {
        usdc.mint(recipient, USD);
        usdc.mint(treasury, USD);

        recordTransferFrom(sender, recipient);

        // A first tip of the day, so that what is measured is the usual one.
        vm.prank(executor);
        router.tip(usdcTip());

        IBotRouter.Tip memory t = usdcTip();
        vm.prank(executor);
        router.tip(t);
        record("tip", 1);

        t = usdcTip();
        t.fee = 0;
        vm.prank(executor);
        router.tip(t);
        record("tip_without_fee", 1);

        t = usdcTip();
        t.recipient = makeAddr("new recipient");
        vm.prank(executor);
        router.tip(t);
        record("tip_to_new_holder", 1);

        t = nativeTip();
        wrapped.transfer(treasury, 0);
        vm.deal(recipient, 1 ether);
        vm.prank(executor);
        router.tip(t);
        record("tip_native", 1);

        IBotRouter.Tip[] memory tips = new IBotRouter.Tip[](ITEMS);
        for (uint256 i; i < ITEMS; ++i) {
            tips[i] = usdcTip();
            tips[i].sender = makeAddr(string.concat("sender", vm.toString(i)));
            tips[i].recipient = makeAddr(string.concat("recipient", vm.toString(i)));
            fund(tips[i].sender);
            usdc.mint(tips[i].recipient, USD);
        }
        vm.prank(executor);
        router.tipBatch(tips);
        record("tip_batch_apart", ITEMS);

        address[] memory recipients = new address[](ITEMS);
        for (uint256 i; i < ITEMS; ++i) {
            recipients[i] = tips[i].recipient;
            tips[i].messageKey = newKey();
            tips[i].recipient = recipient;
        }
        vm.prank(executor);
        router.tipBatch(tips);
        record("tip_batch_to_one", ITEMS);

        for (uint256 i; i < ITEMS; ++i) {
            tips[i].messageKey = newKey();
            tips[i].sender = sender;
            tips[i].recipient = recipients[i];
        }
        vm.prank(executor);
        router.tipBatch(tips);
        record("tip_batch_from_one", ITEMS);

        IBotRouter.TabTip memory tab = IBotRouter.TabTip({
            messageKey: newKey(),
            sender: sender,
            handleKey: keccak256("telegram:id:123"),
            token: address(usdc),
            amount: 5 * USD,
            deadline: uint64(block.timestamp + 7 days),
            validUntil: uint64(block.timestamp + 15 minutes)
        });
        usdc.mint(address(escrow), USD);
        vm.prank(executor);
        router.tipToTab(tab);
        record("tip_to_tab", 1);

        vm.prank(sender);
        bytes32 campaignId =
            router.openCampaign("campaign", address(usdc), 500 * USD, 5 * USD, USD / 10, uint64(block.timestamp + 1 days));
        record("open_campaign", 1);
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](ITEMS);
        for (uint256 i; i < ITEMS; ++i) {
            grants[i] = IBotRouter.Grant({
                recipientKey: i + 1,
                recipient: tips[i].recipient,
                amount: 5 * USD,
                fee: USD / 100,
                validUntil: uint64(block.timestamp + 15 minutes)
            });
        }
        vm.prank(executor);
        router.grantBatch(campaignId, grants);
        record("grant_batch", ITEMS);

        vm.prank(sender);
        router.setLimits(address(usdc), 50 * USD, 400 * USD, USD);
        record("set_limits", 1);

        save("bot");
    }
}
