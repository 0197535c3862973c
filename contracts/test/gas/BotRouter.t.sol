// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";

/// @dev Whole isolated transactions (intrinsic gas and calldata included) on Circle's USDC between accounts that hold some already.
/// The numbers go to out/gas.json; docs/gas.md is written from there.
contract BotRouterGasTest is BotRouterTest {
    uint256 private constant ITEMS = 20;
    string private constant TABLE = "gas";
    string private _json;

    function test_gas() external {
        usdc.mint(recipient, USD);
        usdc.mint(treasury, USD);

        vm.prank(sender);
        usdc.approve(address(this), 100 * USD);
        usdc.transferFrom(sender, recipient, 5 * USD);
        _record("usdc_transfer_from", 1);

        // A first tip of the day, so that what is measured is the usual one.
        vm.prank(executor);
        router.tip(usdcTip());

        IBotRouter.Tip memory t = usdcTip();
        vm.prank(executor);
        router.tip(t);
        _record("tip", 1);

        t = usdcTip();
        t.fee = 0;
        vm.prank(executor);
        router.tip(t);
        _record("tip_without_fee", 1);

        t = usdcTip();
        t.recipient = makeAddr("new recipient");
        vm.prank(executor);
        router.tip(t);
        _record("tip_to_new_holder", 1);

        t = nativeTip();
        wrapped.transfer(treasury, 0);
        vm.deal(recipient, 1 ether);
        vm.prank(executor);
        router.tip(t);
        _record("tip_native", 1);

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
        _record("tip_batch_apart", ITEMS);

        address[] memory recipients = new address[](ITEMS);
        for (uint256 i; i < ITEMS; ++i) {
            recipients[i] = tips[i].recipient;
            tips[i].messageKey = newKey();
            tips[i].recipient = recipient;
        }
        vm.prank(executor);
        router.tipBatch(tips);
        _record("tip_batch_to_one", ITEMS);

        for (uint256 i; i < ITEMS; ++i) {
            tips[i].messageKey = newKey();
            tips[i].sender = sender;
            tips[i].recipient = recipients[i];
        }
        vm.prank(executor);
        router.tipBatch(tips);
        _record("tip_batch_from_one", ITEMS);

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
        _record("tip_to_tab", 1);

        vm.prank(sender);
        bytes32 campaignId =
            router.openCampaign("campaign", address(usdc), 500 * USD, 5 * USD, USD / 10, uint64(block.timestamp + 1 days));
        _record("open_campaign", 1);
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
        _record("grant_batch", ITEMS);

        vm.prank(sender);
        router.setLimits(address(usdc), 50 * USD, 400 * USD, USD);
        _record("set_limits", 1);

        vm.writeFile("out/gas.json", _json);
    }

    function _record(string memory name, uint256 items) private {
        uint256 used = vm.lastCallGas().gasTotalUsed;
        _json = vm.serializeUint(TABLE, name, used / items);
    }
}
