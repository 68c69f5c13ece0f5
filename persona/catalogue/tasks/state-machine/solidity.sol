// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:description A sale that has not begun, is open or is closed, by the time of the block. Buying is possible only while it is
// snippet:description open, and the seller is paid only when it is closed; otherwise the call is reverted with the phase that is
// snippet:description needed and the phase that it is in.
// snippet:why In which phase a function may be called stands in its first line.
// snippet:doc https://docs.soliditylang.org/en/latest/common-patterns.html#state-machine State machine
// snippet:title A sale whose phases follow the clock
// snippet:needs Solidity 0.8.27
// snippet:prints Waiting: no sale
// snippet:prints Open: sold 1
// snippet:prints Closed: no sale
// snippet:end
pragma solidity ^0.8.27;

contract Sale {
    enum Phase { Waiting, Open, Closed }
    uint256 public constant PRICE = 0.01 ether;
    address public immutable seller = msg.sender;
    uint256 public immutable opensAt = block.timestamp + 1 days;
    uint256 public immutable closesAt = opensAt + 1 days;
    mapping(address => uint256) public bought;

    error NotIn(Phase wanted, Phase now_);
    error WrongPrice();
    error PaymentFailed();

    /// Works the phase out instead of storing it: nobody has to open or close the sale.
    function phase() public view returns (Phase) {
        if (block.timestamp < opensAt) return Phase.Waiting;
        return block.timestamp < closesAt ? Phase.Open : Phase.Closed;
    }

    modifier only(Phase wanted) {
        require(phase() == wanted, NotIn(wanted, phase()));
        _;
    }

    function buy() external payable only(Phase.Open) {
        require(msg.value == PRICE, WrongPrice());
        bought[msg.sender]++;
    }

    function payOut() external only(Phase.Closed) {
        (bool ok,) = seller.call{value: address(this).balance}("");
        require(ok, PaymentFailed());
    }
}
// snippet:check
contract Check {
    event Print(string text);
    Sale sale;
    constructor() payable {}
    receive() external payable {}
    function step1() external { sale = new Sale(); tell("Waiting"); }
    function step2() external {
        tell("Open");
        try sale.buy{value: 1}() { emit Print("too cheap"); } catch {}
        try sale.payOut() { emit Print("paid out early"); } catch {}
    }
    function step3() external {
        tell("Closed");
        uint256 before = address(this).balance;
        sale.payOut();
        require(address(this).balance - before == 0.01 ether);
    }
    function tell(string memory name) private {
        try sale.buy{value: 0.01 ether}() { require(sale.bought(address(this)) == 1); emit Print(string.concat(name, ": sold 1")); } catch { emit Print(string.concat(name, ": no sale")); }
    }
}
