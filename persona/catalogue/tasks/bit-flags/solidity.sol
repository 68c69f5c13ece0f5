// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html Layout of storage
// snippet:description Keep four settings in one storage slot: they stand together in a struct, and their types are small enough.
// snippet:description What does not fit into its type is refused.
// snippet:why Each storage slot that is written costs gas.
// snippet:title Pack settings into one storage slot
// snippet:needs Solidity 0.8.4
// snippet:prints fee 250, limit 1000000, paused true
// snippet:prints one slot: true
// snippet:end
pragma solidity ^0.8.4;

/// The first access to a storage slot in a transaction costs thousands of gas. These four share one,
/// because they stand together and their 8 + 16 + 64 + 160 bits fit into its 256.
contract Settings {
    struct Packed {
        bool paused;
        uint16 feeBasisPoints;
        uint64 dailyLimit;
        address collector;
    }

    Packed public settings;
    address public immutable owner = msg.sender; // takes no slot

    error Forbidden();
    error FeeTooHigh(uint256 feeBasisPoints);

    function update(uint256 feeBasisPoints, uint256 dailyLimit, bool paused) external {
        if (msg.sender != owner) revert Forbidden();
        if (feeBasisPoints > 10_000) revert FeeTooHigh(feeBasisPoints);
        require(dailyLimit <= type(uint64).max, "limit: 64 bits"); // a cast drops the bits above without a word
        settings = Packed(paused, uint16(feeBasisPoints), uint64(dailyLimit), msg.sender);
    }
}
// snippet:check
contract Peek is Settings {
    function slots() external view returns (uint256 a, uint256 b) { assembly { a := sload(0) b := sload(1) } }
}
contract Stranger {
    function update(Settings s) external { s.update(1, 1, false); }
}
contract Check {
    event Print(string text);
    constructor() payable {}
    function step1() external {
        Peek p = new Peek();
        p.update(250, 1_000_000, true);
        (bool paused, uint16 fee, uint64 limit, address collector) = p.settings();
        require(paused && fee == 250 && limit == 1_000_000 && collector == address(this));
        emit Print("fee 250, limit 1000000, paused true");
        (uint256 a, uint256 b) = p.slots();
        emit Print(a != 0 && b == 0 ? "one slot: true" : "more slots");
        Stranger stranger = new Stranger();
        try stranger.update(p) { emit Print("bad"); } catch {}
        try p.update(10_001, 1, false) { emit Print("bad"); } catch {}
        try p.update(1, 1 << 64, false) { emit Print("bad"); } catch {}
    }
}
