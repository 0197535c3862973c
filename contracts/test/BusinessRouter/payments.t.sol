// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {AcceptDepositTest} from "../PaymentRouter/acceptDeposit.t.sol";
import {KeyOfTest} from "../PaymentRouter/keyOf.t.sol";
import {PayTest} from "../PaymentRouter/pay.t.sol";
import {PayNativeTest} from "../PaymentRouter/payNative.t.sol";
import {PayWithAllowanceTest} from "../PaymentRouter/payWithAllowance.t.sol";
import {PayWithAuthorizationTest} from "../PaymentRouter/payWithAuthorization.t.sol";
import {PayWithPermitTest} from "../PaymentRouter/payWithPermit.t.sol";
import {PayWithPermit2Test} from "../PaymentRouter/payWithPermit2.t.sol";
import {RefundTest} from "../PaymentRouter/refund.t.sol";
import {RefundBySigTest} from "../PaymentRouter/refundBySig.t.sol";
import {RefundDepositTest} from "../PaymentRouter/refundDeposit.t.sol";
import {RolesTest} from "../PaymentRouter/roles.t.sol";
import {SweepTest} from "../PaymentRouter/sweep.t.sol";

// What the payment router promises, promised by the business router: the same suites on it.

contract PayOnBusinessTest is PayTest {
    constructor() {
        onBusiness = true;
    }
}

contract PayNativeOnBusinessTest is PayNativeTest {
    constructor() {
        onBusiness = true;
    }
}

contract PayWithAllowanceOnBusinessTest is PayWithAllowanceTest {
    constructor() {
        onBusiness = true;
    }
}

contract PayWithPermitOnBusinessTest is PayWithPermitTest {
    constructor() {
        onBusiness = true;
    }
}

contract PayWithAuthorizationOnBusinessTest is PayWithAuthorizationTest {
    constructor() {
        onBusiness = true;
    }
}

contract PayWithPermit2OnBusinessTest is PayWithPermit2Test {
    constructor() {
        onBusiness = true;
    }
}

contract SweepOnBusinessTest is SweepTest {
    constructor() {
        onBusiness = true;
    }
}

contract AcceptDepositOnBusinessTest is AcceptDepositTest {
    constructor() {
        onBusiness = true;
    }
}

contract RefundDepositOnBusinessTest is RefundDepositTest {
    constructor() {
        onBusiness = true;
    }
}

contract RefundOnBusinessTest is RefundTest {
    constructor() {
        onBusiness = true;
    }
}

contract RefundBySigOnBusinessTest is RefundBySigTest {
    constructor() {
        onBusiness = true;
    }
}

contract RolesOfBusinessRouterTest is RolesTest {
    constructor() {
        onBusiness = true;
    }
}

contract KeyOfBusinessRouterTest is KeyOfTest {
    constructor() {
        onBusiness = true;
    }
}
