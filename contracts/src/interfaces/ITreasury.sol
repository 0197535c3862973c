// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The address that fees go to, changed after 48 hours
interface ITreasury {
    event TreasuryAnnounced(address indexed treasury, uint64 effectiveAt);
    event TreasuryChanged(address indexed previousTreasury, address indexed newTreasury);

    error NothingAnnounced();
    /// @notice The delay is not over before `effectiveAt` (Unix seconds).
    error TooEarly(uint64 effectiveAt);

    function treasury() external view returns (address);
    /// @notice The announced successor and the Unix second from which it may be applied; zeros when there is none.
    function pendingTreasury() external view returns (address next, uint64 effectiveAt);
    /// @notice Announces a successor; another call replaces it and starts the 48 hours anew, the zero address withdraws it. Owner only.
    function announceTreasury(address next) external;
    /// @notice Puts the announced treasury in force once its delay is over. Anyone.
    function applyTreasury() external;
}
