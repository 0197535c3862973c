// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @dev A token that moves balances as it should and otherwise misbehaves in one way.
contract HostileToken {
    enum Mode {
        None,
        NoReturn,
        FalseReturn,
        OtherReturn,
        ShortReturn,
        Silent,
        LongReason,
        TakesFee,
        EatsGas,
        Reenters
    }

    uint8 public constant decimals = 6;
    Mode public mode;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    address private _target;
    bytes private _data;
    bool public reentryFailed;

    function set(Mode mode_) external {
        mode = mode_;
    }

    function setReentry(address target, bytes calldata data) external {
        mode = Mode.Reenters;
        _target = target;
        _data = data;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        if (mode == Mode.Silent) assembly { revert(0, 0) }
        if (mode == Mode.LongReason) assembly { revert(0x80, 5000) }
        if (mode == Mode.EatsGas) while (true) {}
        if (mode == Mode.FalseReturn) _return(0, 32);
        if (mode == Mode.OtherReturn) _return(2, 32);
        if (mode == Mode.ShortReturn) _return(1 << 255, 1);
        if (mode == Mode.Reenters) {
            (bool ok,) = _target.call(_data);
            reentryFailed = !ok;
        }
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += mode == Mode.TakesFee ? amount - amount / 100 : amount;
        if (mode == Mode.NoReturn) assembly { return(0, 0) }
        _return(1, 32);
    }

    function _return(uint256 word, uint256 size) private pure {
        assembly {
            mstore(0, word)
            return(0, size)
        }
    }
}

/// @dev A recipient of the native asset that misbehaves in one way.
contract HostileReceiver {
    enum Mode {
        Accepts,
        Reverts,
        EatsGas,
        ReturnsMuch,
        Reenters
    }

    Mode public mode;
    address private _target;
    bytes private _data;
    bool public reentered;
    bytes public reentryAnswer;

    function set(Mode mode_) external {
        mode = mode_;
    }

    function setReentry(address target, bytes calldata data) external {
        mode = Mode.Reenters;
        _target = target;
        _data = data;
    }

    receive() external payable {
        if (mode == Mode.Reverts) revert("no");
        if (mode == Mode.EatsGas) while (true) {}
        if (mode == Mode.ReturnsMuch) assembly { revert(0, 4000) }
        if (mode == Mode.Reenters) {
            (bool ok,) = _target.call(_data);
            require(!ok, "the re-entry went through");
        }
    }
}

/// @dev A contract wallet that accepts the signatures of one key (ERC-1271).
contract ContractWallet {
    address public immutable signer;

    constructor(address signer_) {
        signer = signer_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        return ecrecover(hash, uint8(signature[64]), r, s) == signer ? this.isValidSignature.selector : bytes4(0);
    }
}

/// @dev A native asset that is an ERC-20 itself, as CELO is: its transfers move value, without a call to the recipient.
contract DualNative {
    Cheats private constant vm = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));
    mapping(address => mapping(address => uint256)) public allowance;

    function balanceOf(address account) external view returns (uint256) {
        return account.balance;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        vm.deal(from, from.balance - amount);
        vm.deal(to, to.balance + amount);
    }
}

interface Cheats {
    function deal(address account, uint256 balance) external;
}

/// @dev A bridge adapter that keeps what it gets and remembers the order.
contract Bridge {
    bytes32 public orderHash;
    bool public refuses;

    error Refused();

    function refuse() external {
        refuses = true;
    }

    function bridge(Order calldata order) external returns (bytes32) {
        if (refuses) revert Refused();
        orderHash = keccak256(abi.encode(order));
        return keccak256("transfer");
    }

    struct Order {
        bytes32 messageKey;
        address sender;
        address token;
        uint128 amount;
        uint256 destinationChain;
        bytes32 recipient;
        uint128 minOutput;
        uint64 validUntil;
        bytes route;
    }
}
