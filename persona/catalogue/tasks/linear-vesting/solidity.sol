// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/types.html#integers Integers
// snippet:needs Solidity 0.8.27
// snippet:prints 0 0 250 999 1000
// snippet:prints released 500, then 500
// snippet:end
pragma solidity ^0.8.27;

contract Vesting {
    uint64 public immutable start = uint64(block.timestamp);
    uint64 public immutable cliff;
    uint64 public immutable duration;
    uint256 public immutable total;
    address payable public immutable beneficiary;
    uint256 public released;

    error BadTerms();
    error PaymentFailed();

    constructor(address payable beneficiary_, uint64 cliff_, uint64 duration_) payable {
        require(beneficiary_ != address(0) && cliff_ <= duration_ && duration_ <= 36500 days, BadTerms());
        (beneficiary, cliff, duration, total) = (beneficiary_, cliff_, duration_, msg.value);
    }

    /// The wei that are earned at a time, in seconds since 1970, released or not.
    function vestedAt(uint256 time) public view returns (uint256) {
        if (time < start + cliff) return 0;
        if (time >= start + duration) return total;
        return total * (time - start) / duration; // multiply first: division drops the rest
    }

    function release() external {
        uint256 amount = vestedAt(block.timestamp) - released;
        released += amount;
        (bool ok,) = beneficiary.call{value: amount}("");
        require(ok, PaymentFailed());
    }
}
// snippet:check
contract Check {
    event Print(string text);
    Vesting v;
    constructor() payable {}
    receive() external payable {}
    function text(uint256 n) private pure returns (string memory s) {
        do { s = string.concat(string(abi.encodePacked(uint8(48 + n % 10))), s); n /= 10; } while (n > 0);
    }
    function step1() external {
        try new Vesting{value: 1}(payable(address(this)), 0, type(uint64).max) { emit Print("locked for ever"); } catch {}
        try new Vesting{value: 1}(payable(address(0)), 0, 1 days) { emit Print("for nobody"); } catch {}
        v = new Vesting{value: 1000}(payable(address(this)), 4 hours, 2 days);
        uint256 t = block.timestamp;
        emit Print(string.concat(text(v.vestedAt(t)), " ", text(v.vestedAt(t + 4 hours - 1)), " ", text(v.vestedAt(t + 12 hours)), " ",
            text(v.vestedAt(t + 2 days - 1)), " ", text(v.vestedAt(t + 900 days))));
    }
    function step2() external { v.release(); require(v.released() == 500); v.release(); require(v.released() == 500); }
    function step3() external {
        v.release();
        require(v.released() == 1000 && address(v).balance == 0);
        emit Print("released 500, then 500");
        v.release();
    }
}
