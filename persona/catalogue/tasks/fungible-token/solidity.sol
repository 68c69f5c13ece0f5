// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://eips.ethereum.org/EIPS/eip-20 ERC-20
// snippet:needs Solidity 0.8.4
// snippet:prints moved 30, left 70
// snippet:prints spent 20 of 25, 5 still allowed
// snippet:prints too much: refused
// snippet:end
pragma solidity ^0.8.4;
contract Token {
    uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    error Insufficient(uint256 available, uint256 wanted);

    constructor(uint256 supply) {
        totalSupply = balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) { return move(msg.sender, to, value); }
    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert Insufficient(allowed, value);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value; // the largest: no limit
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        if (balanceOf[from] < value) revert Insufficient(balanceOf[from], value);
        balanceOf[from] -= value; // before the credit, so that a transfer to oneself is right too
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}
// snippet:check
contract Spender {
    function spend(Token t, address from, address to, uint256 value) external { t.transferFrom(from, to, value); }
}
contract Check {
    event Print(string text);
    constructor() payable {}
    function step1() external {
        Token t = new Token(100);
        t.transfer(address(7), 30);
        require(t.totalSupply() == 100 && t.balanceOf(address(this)) == 70 && t.balanceOf(address(7)) == 30);
        t.transfer(address(this), 70);
        require(t.balanceOf(address(this)) == 70, "to oneself");
        emit Print("moved 30, left 70");
        Spender s = new Spender();
        t.approve(address(s), 25);
        s.spend(t, address(this), address(7), 20);
        require(t.allowance(address(this), address(s)) == 5 && t.balanceOf(address(7)) == 50);
        emit Print("spent 20 of 25, 5 still allowed");
        try s.spend(t, address(this), address(7), 6) { emit Print("bad"); } catch (bytes memory e) {
            require(bytes4(e) == Token.Insufficient.selector);
        }
        try t.transfer(address(7), 51) { emit Print("bad"); } catch { emit Print("too much: refused"); }
    }
}
