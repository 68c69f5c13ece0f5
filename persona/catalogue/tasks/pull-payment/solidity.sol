// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy Re-entrancy
// snippet:needs Solidity 0.8.4
// snippet:measures a recipient that calls back is paid once
// snippet:prints paid 3 ether, kept 7
// snippet:prints attacker: 1 ether, 1 try inside
// snippet:prints nothing owed: true
// snippet:end
pragma solidity ^0.8.4;

contract Payouts {
    mapping(address => uint256) public owed;

    error NothingOwed();
    error PaymentFailed();

    function credit(address recipient) external payable {
        owed[recipient] += msg.value;
    }

    /// Sends the caller what is owed: check, then effect, and the call to the outside last.
    function withdraw() external {
        uint256 amount = owed[msg.sender];
        if (amount == 0) revert NothingOwed();
        owed[msg.sender] = 0; // before the call: whoever calls back finds nothing
        (bool ok,) = msg.sender.call{value: amount}("");
        if (!ok) revert PaymentFailed();
    }
}
// snippet:check
contract Greedy {
    Payouts immutable bank;
    uint256 public tries;
    constructor(Payouts b) { bank = b; }
    function go() external { bank.withdraw(); }
    receive() external payable {
        tries++;
        (bool again,) = address(bank).call(abi.encodeCall(Payouts.withdraw, ()));
        require(!again, "was paid twice");
    }
}
contract Check {
    event Print(string text);
    constructor() payable {}
    receive() external payable {}
    function step1() external {
        Payouts bank = new Payouts();
        bank.credit{value: 3 ether}(address(this));
        bank.credit{value: 7 ether}(address(1));
        uint256 before = address(this).balance;
        bank.withdraw();
        require(address(this).balance - before == 3 ether && address(bank).balance == 7 ether);
        emit Print("paid 3 ether, kept 7");
        Greedy greedy = new Greedy(bank);
        bank.credit{value: 1 ether}(address(greedy));
        greedy.go();
        require(address(greedy).balance == 1 ether && greedy.tries() == 1);
        emit Print("attacker: 1 ether, 1 try inside");
        try bank.withdraw() { emit Print("paid twice"); } catch (bytes memory e) {
            emit Print(bytes4(e) == Payouts.NothingOwed.selector ? "nothing owed: true" : "other");
        }
    }
}
