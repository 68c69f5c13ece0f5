%% snippet:doc https://www.erlang.org/doc/apps/crypto/crypto.html#hash/2 crypto:hash
%% snippet:prints 36642E73 false
-module(merkle).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([root/1]).

%% Merkle tree hash of RFC 9162: leaves and nodes have different prefixes.
root([]) -> crypto:hash(sha256, <<>>);
root([Leaf]) -> crypto:hash(sha256, [0, Leaf]);
root(Leaves) ->
    {Left, Right} = lists:split(split_point(length(Leaves), 1), Leaves),
    crypto:hash(sha256, [1, root(Left), root(Right)]).

%% The largest power of two below N.
split_point(N, Power) when Power * 2 < N -> split_point(N, Power * 2);
split_point(_N, Power) -> Power.
%% snippet:check
main() ->
    <<First:4/binary, _/binary>> = root(["a", "b", "c"]),
    io:format("~s ~p~n", [binary:encode_hex(First), root(["a", "b"]) =:= root(["b", "a"])]).
