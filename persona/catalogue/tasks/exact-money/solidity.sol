// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/types.html#division Division of integers
// snippet:description Split a payment by shares in basis points, in whole units. Each share is rounded down, and the last one gets
// snippet:description what the rounding left over, so the parts always add up to the amount.
// snippet:title Split a payment by basis points, exactly
// snippet:needs Solidity 0.8.27
// snippet:prints 50 + 25 + 26 = 101
// snippet:prints shares above 100 %: refused
// snippet:end
pragma solidity ^0.8.27;

library Split {
    uint256 internal constant WHOLE = 10_000; // basis points: 1 is 0.01 %

    error SharesAreNotWhole(uint256 sum);

    /// Splits an amount. Each share is rounded down, and what the rounding left over goes to the last one,
    /// so the parts always add up to the amount.
    function byBasisPoints(uint256 amount, uint16[] memory shares) internal pure returns (uint256[] memory parts) {
        parts = new uint256[](shares.length);
        uint256 sum;
        uint256 given;
        for (uint256 i = 0; i < shares.length; i++) {
            sum += shares[i];
            parts[i] = amount * shares[i] / WHOLE;
            given += parts[i];
        }
        require(sum == WHOLE, SharesAreNotWhole(sum));
        parts[shares.length - 1] += amount - given;
    }
}
// snippet:check
contract Check {
    event Print(string text);
    constructor() payable {}
    function text(uint256 n) private pure returns (string memory s) {
        do { s = string.concat(string(abi.encodePacked(uint8(48 + n % 10))), s); n /= 10; } while (n > 0);
    }
    function split(uint256 amount, uint16[] memory shares) private pure returns (uint256[] memory) { return Split.byBasisPoints(amount, shares); }
    function above() external pure returns (uint256[] memory) {
        uint16[] memory shares = new uint16[](2);
        (shares[0], shares[1]) = (9_000, 1_001);
        return split(1, shares);
    }
    function step1() external {
        uint16[] memory shares = new uint16[](3);
        (shares[0], shares[1], shares[2]) = (5_000, 2_500, 2_500);
        uint256[] memory p = split(101, shares);
        emit Print(string.concat(text(p[0]), " + ", text(p[1]), " + ", text(p[2]), " = ", text(p[0] + p[1] + p[2])));
        try this.above() { emit Print("bad"); } catch { emit Print(unicode"shares above 100 %: refused"); }
    }
}
