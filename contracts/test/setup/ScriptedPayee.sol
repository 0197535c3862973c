// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @dev A payee that is a contract: it calls what it is told to, at once or when it is next sent the native asset.
contract ScriptedPayee {
    address private _target;
    uint256 private _value;
    bytes private _data;

    bool public called;
    bool public ok;
    bytes public answer;

    function act(address target, uint256 value, bytes calldata data) external returns (bytes memory) {
        (bool succeeded, bytes memory result) = target.call{value: value}(data);
        if (!succeeded) assembly { revert(add(result, 0x20), mload(result)) }
        return result;
    }

    function onReceive(address target, uint256 value, bytes calldata data) external {
        (_target, _value, _data) = (target, value, data);
    }

    receive() external payable {
        address target = _target;
        if (target == address(0)) return;
        _target = address(0);
        called = true;
        (ok, answer) = target.call{value: _value}(_data);
    }
}
