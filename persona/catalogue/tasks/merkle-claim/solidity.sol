// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/units-and-global-variables.html#abi-encoding-and-decoding-functions abi.encode and keccak256
// snippet:needs Solidity 0.8.4
// snippet:measures an inner node cannot be claimed as an entry
// snippet:prints claimed 5
// snippet:prints a second time: refused
// snippet:prints another amount: refused
// snippet:prints an inner node as an entry: refused
// snippet:end
pragma solidity ^0.8.4;

contract Claims {
    bytes32 public immutable root;
    mapping(bytes32 => bool) public used;

    event Claimed(address indexed account, uint256 amount);

    error NotOnTheList();
    error ClaimedBefore();

    constructor(bytes32 root_) {
        root = root_;
    }

    function claim(address account, uint256 amount, bytes32[] calldata proof) external {
        // Hashed twice: a leaf is never 64 bytes of two other hashes.
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(account, amount))));
        bytes32 node = leaf;
        for (uint256 i = 0; i < proof.length; i++) {
            node = node < proof[i] ? keccak256(abi.encode(node, proof[i])) : keccak256(abi.encode(proof[i], node));
        }
        if (node != root) revert NotOnTheList();
        if (used[leaf]) revert ClaimedBefore();
        used[leaf] = true;
        emit Claimed(account, amount); // pay here
    }
}
// snippet:check
contract Check {
    event Print(string text);
    constructor() payable {}
    function leaf(address a, uint256 n) private pure returns (bytes32) { return keccak256(bytes.concat(keccak256(abi.encode(a, n)))); }
    function pair(bytes32 a, bytes32 b) private pure returns (bytes32) { return a < b ? keccak256(abi.encode(a, b)) : keccak256(abi.encode(b, a)); }
    function step1() external {
        bytes32 a = leaf(address(1), 5);
        bytes32 b = leaf(address(2), 6);
        bytes32 c = leaf(address(3), 7);
        Claims claims = new Claims(pair(pair(a, b), c));
        bytes32[] memory proof = new bytes32[](2);
        (proof[0], proof[1]) = (b, c);
        claims.claim(address(1), 5, proof);
        require(claims.used(a));
        emit Print("claimed 5");
        try claims.claim(address(1), 5, proof) { emit Print("bad"); } catch (bytes memory e) { require(bytes4(e) == Claims.ClaimedBefore.selector); emit Print("a second time: refused"); }
        try claims.claim(address(1), 50, proof) { emit Print("bad"); } catch (bytes memory e) { require(bytes4(e) == Claims.NotOnTheList.selector); emit Print("another amount: refused"); }
        bytes32[] memory short = new bytes32[](1);
        short[0] = c; // two leaves that read as account and amount: hashed once, their parent would be a leaf
        claims = new Claims(pair(pair(bytes32(uint256(7)), bytes32(uint256(1000))), c));
        try claims.claim(address(7), 1000, short) { emit Print("bad"); } catch (bytes memory e) { require(bytes4(e) == Claims.NotOnTheList.selector); emit Print("an inner node as an entry: refused"); }
    }
}
