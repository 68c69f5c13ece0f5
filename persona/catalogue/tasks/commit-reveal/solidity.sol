// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/units-and-global-variables.html#mathematical-and-cryptographic-functions keccak256
// snippet:needs Solidity 0.8.27
// snippet:measures another choice and another sender are refused
// snippet:prints too early: refused
// snippet:prints another choice: refused
// snippet:prints a copied commitment: refused
// snippet:prints alice revealed 42
// snippet:end
pragma solidity ^0.8.27;

contract SealedChoices {
    uint256 public immutable revealFrom;
    mapping(address => bytes32) public commitments;
    mapping(address => uint256) public choices; // 0 also where nothing is revealed: the event tells

    event Revealed(address indexed player, uint256 choice);

    error WrongPhase();
    error DoesNotMatch();

    constructor(uint256 commitDuration) {
        revealFrom = block.timestamp + commitDuration;
    }

    /// The hash is keccak256(abi.encode(sender, choice, secret)); the secret is 32 random bytes.
    function commit(bytes32 hash) external {
        require(block.timestamp < revealFrom, WrongPhase());
        commitments[msg.sender] = hash;
    }

    function reveal(uint256 choice, bytes32 secret) external {
        require(block.timestamp >= revealFrom, WrongPhase());
        require(commitments[msg.sender] == keccak256(abi.encode(msg.sender, choice, secret)), DoesNotMatch());
        delete commitments[msg.sender]; // revealed once
        choices[msg.sender] = choice;
        emit Revealed(msg.sender, choice);
    }
}
// snippet:check
contract Player {
    function commit(SealedChoices s, bytes32 hash) external { s.commit(hash); }
    function reveal(SealedChoices s, uint256 choice, bytes32 secret) external { s.reveal(choice, secret); }
}
contract Check {
    event Print(string text);
    SealedChoices s;
    Player alice = new Player();
    Player copycat = new Player();
    bytes32 constant SECRET = bytes32(uint256(99));
    constructor() payable {}
    function step1() external {
        s = new SealedChoices(1 days);
        bytes32 hash = keccak256(abi.encode(address(alice), 42, SECRET));
        alice.commit(s, hash);
        copycat.commit(s, hash);
        try alice.reveal(s, 42, SECRET) { emit Print("bad"); } catch { emit Print("too early: refused"); }
    }
    function step2() external {
        try alice.reveal(s, 43, SECRET) { emit Print("bad"); } catch { emit Print("another choice: refused"); }
        try copycat.reveal(s, 42, SECRET) { emit Print("bad"); } catch { emit Print("a copied commitment: refused"); }
        alice.reveal(s, 42, SECRET);
        require(s.choices(address(alice)) == 42);
        emit Print("alice revealed 42");
        try alice.reveal(s, 42, SECRET) { emit Print("twice"); } catch {}
        try alice.commit(s, bytes32(0)) { emit Print("late"); } catch {}
    }
}
