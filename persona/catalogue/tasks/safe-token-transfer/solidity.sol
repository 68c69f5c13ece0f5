// snippet:check
// SPDX-License-Identifier: Apache-2.0
// snippet:doc https://docs.soliditylang.org/en/latest/units-and-global-variables.html#members-of-address-types Members of addresses
// snippet:needs Solidity 0.8.27
// snippet:prints true: accepted
// snippet:prints nothing: accepted
// snippet:prints false: refused
// snippet:prints reverts: refused
// snippet:prints no code: refused
// snippet:end
pragma solidity ^0.8.27;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
}

library SafeTransfer {
    error TransferFailed(address token);

    /// Fails unless the token accepts the transfer, whether it answers true or, like old tokens, nothing.
    function safeTransfer(IERC20 token, address to, uint256 value) internal {
        (bool ok, bytes memory answer) = address(token).call(abi.encodeCall(IERC20.transfer, (to, value)));
        ok = ok && (answer.length == 0 ? address(token).code.length > 0 : abi.decode(answer, (bool)));
        require(ok, TransferFailed(address(token)));
    }
}

contract Treasury {
    using SafeTransfer for IERC20;

    address public immutable owner = msg.sender;

    error Forbidden();

    function pay(IERC20 token, address to, uint256 value) external {
        require(msg.sender == owner, Forbidden());
        token.safeTransfer(to, value);
    }
}
// snippet:check
contract Yes { function transfer(address, uint256) external pure returns (bool) { return true; } }
contract No { function transfer(address, uint256) external pure returns (bool) { return false; } }
contract Old { function transfer(address, uint256) external pure {} }
contract Broken { function transfer(address, uint256) external pure { revert("paused"); } }
contract Stranger { function take(Treasury t, address token) external { t.pay(IERC20(token), address(this), 1); } }
contract Check {
    event Print(string text);
    Treasury treasury = new Treasury();
    constructor() payable {}
    function tell(string memory name, address token) private {
        try treasury.pay(IERC20(token), address(1), 1) { emit Print(string.concat(name, ": accepted")); } catch (bytes memory e) {
            require(bytes4(e) == SafeTransfer.TransferFailed.selector, "another error");
            emit Print(string.concat(name, ": refused"));
        }
    }
    function step1() external {
        tell("true", address(new Yes()));
        tell("nothing", address(new Old()));
        tell("false", address(new No()));
        tell("reverts", address(new Broken()));
        tell("no code", address(0xbeef));
        Stranger stranger = new Stranger();
        try stranger.take(treasury, address(new Yes())) { emit Print("a stranger was paid"); } catch {}
    }
}
