%% snippet:into Save it as token_bucket.erl: erlc token_bucket.erl, then erl -noshell -s token_bucket main -s init stop
%% snippet:doc https://www.erlang.org/doc/apps/erts/erlang.html#monotonic_time/1 erlang:monotonic_time
%% snippet:prints 500 ok
-module(token_bucket).
%% snippet:usage
-export([main/0]).
%% snippet:end
-export([new/3, take/2]).

-record(bucket, {
    rate :: number(), % tokens per second
    burst :: number(),
    tokens :: number(),
    at :: integer() % milliseconds, from erlang:monotonic_time(millisecond)
}).

new(Rate, Burst, Now) ->
    #bucket{rate = Rate, burst = Burst, tokens = Burst, at = Now}.

%% {ok, Bucket}, or {wait, Milliseconds} when it is empty. A value, not
%% a process: whoever owns the state (a gen_server) keeps it there.
take(#bucket{rate = Rate, burst = Burst, tokens = Tokens, at = At} = Bucket, Now) ->
    Filled = min(Burst, Tokens + (Now - At) / 1000 * Rate),
    case Filled >= 1 of
        true -> {ok, Bucket#bucket{tokens = Filled - 1, at = Now}};
        false -> {wait, ceil((1 - Filled) / Rate * 1000)} % nothing changes: rounding errors would add up
    end.
%% snippet:usage
main() ->
    {ok, B1} = take(new(2, 2, 0), 0),
    {ok, B2} = take(B1, 0),
    {wait, Ms} = take(B2, 0),
    io:format("~p ~p~n", [Ms, element(1, take(B2, 500))]).
