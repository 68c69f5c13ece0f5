// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/contracts.html#function-modifiers Function modifiers
// snippet:needs Solidity 0.8.4
// snippet:prints offered, and the old owner still rules
// snippet:prints a stranger cannot accept
// snippet:prints accepted: the old owner is out
// snippet:end
pragma solidity ^0.8.4;

contract Owned {
    address public owner = msg.sender;
    address public pendingOwner;

    event OwnershipOffered(address indexed from, address indexed to);
    event OwnershipAccepted(address indexed from, address indexed to);

    error Forbidden(address caller);

    modifier onlyOwner() {
        if (msg.sender != owner) revert Forbidden(msg.sender);
        _;
    }

    /// Offers the contract to somebody; the zero address takes an offer back.
    function offerOwnership(address to) external onlyOwner {
        pendingOwner = to;
        emit OwnershipOffered(owner, to);
    }

    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert Forbidden(msg.sender);
        emit OwnershipAccepted(owner, msg.sender);
        owner = msg.sender;
        delete pendingOwner;
    }
}
// snippet:check
contract Heir {
    function accept(Owned o) external { o.acceptOwnership(); }
    function offer(Owned o, address to) external { o.offerOwnership(to); }
}
contract Check {
    event Print(string text);
    constructor() payable {}
    function step1() external {
        Owned o = new Owned();
        Heir heir = new Heir();
        Heir stranger = new Heir();
        o.offerOwnership(address(heir));
        require(o.owner() == address(this));
        emit Print("offered, and the old owner still rules");
        try stranger.accept(o) { emit Print("bad"); } catch { emit Print("a stranger cannot accept"); }
        heir.accept(o);
        require(o.owner() == address(heir) && o.pendingOwner() == address(0));
        try o.offerOwnership(address(this)) { emit Print("bad"); } catch { emit Print("accepted: the old owner is out"); }
        try heir.accept(o) { emit Print("bad"); } catch {}
        heir.offer(o, address(this));
    }
}
