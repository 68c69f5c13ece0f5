// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/units-and-global-variables.html#block-and-transaction-properties block.timestamp
// snippet:needs Solidity 0.8.27
// snippet:prints goal met: collected 5 ether
// snippet:prints too early to refund
// snippet:prints goal missed: refunded 2 ether
// snippet:prints refunded once only
// snippet:end
pragma solidity ^0.8.27;
contract Crowdfund {
    address public immutable organiser = msg.sender;
    uint256 public immutable goal;
    uint256 public immutable deadline;
    uint256 public raised;
    bool public collected;
    mapping(address => uint256) public paid;
    error Closed(); error NotPossible(); error PaymentFailed();

    constructor(uint256 goal_, uint256 duration) { (goal, deadline) = (goal_, block.timestamp + duration); }

    function pay() external payable {
        require(block.timestamp < deadline, Closed());
        (paid[msg.sender], raised) = (paid[msg.sender] + msg.value, raised + msg.value);
    }

    function collect() external {
        require(msg.sender == organiser && block.timestamp >= deadline && raised >= goal && !collected, NotPossible());
        collected = true;
        send(organiser, raised);
    }

    function refund() external {
        uint256 amount = paid[msg.sender];
        require(block.timestamp >= deadline && raised < goal && amount > 0, NotPossible());
        paid[msg.sender] = 0;
        send(msg.sender, amount);
    }

    function send(address to, uint256 amount) private {
        (bool ok,) = to.call{value: amount}("");
        require(ok, PaymentFailed());
    }
}
// snippet:check
contract Check {
    event Print(string text);
    Crowdfund met;
    Crowdfund missed;
    constructor() payable {}
    receive() external payable {}
    function step1() external {
        met = new Crowdfund(5 ether, 1 days);
        missed = new Crowdfund(5 ether, 1 days + 1);
        met.pay{value: 5 ether}();
        missed.pay{value: 2 ether}();
        try met.collect() { emit Print("too early, but collected"); } catch {}
    }
    function step2() external {
        uint256 before = address(this).balance;
        met.collect();
        require(address(this).balance - before == 5 ether);
        emit Print("goal met: collected 5 ether");
        try met.collect() { emit Print("collected twice"); } catch {}
        try met.refund() { emit Print("refunded although met"); } catch {}
        try met.pay{value: 1}() { emit Print("paid after the deadline"); } catch {}
        try missed.refund() { emit Print("refunded early"); } catch { emit Print("too early to refund"); }
    }
    function step3() external {
        uint256 before = address(this).balance;
        missed.refund();
        require(address(this).balance - before == 2 ether);
        emit Print("goal missed: refunded 2 ether");
        try missed.collect() { emit Print("collected although missed"); } catch {}
        try missed.refund() { emit Print("refunded twice"); } catch { emit Print("refunded once only"); }
    }
}
