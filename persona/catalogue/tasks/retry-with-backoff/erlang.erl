%% snippet:into Save it as retry.erl: erlc retry.erl, then erl -noshell -s retry main -s init stop
%% snippet:doc https://www.erlang.org/doc/apps/stdlib/timer.html timer
%% snippet:prints {ok,done} after 3
%% snippet:prints {error,down}
-module(retry).
%% snippet:usage
-export([main/0]).
%% snippet:end
-export([run/3]).

%% Calls Fun until it returns {ok, Value}, at most Attempts times. Waits a
%% random part of a delay in between, which doubles up to 30 s; returns the
%% last error.
-spec run(fun(() -> {ok, T} | {error, E}), pos_integer(), pos_integer()) ->
    {ok, T} | {error, E}.
run(Fun, 1, _DelayMs) ->
    Fun();
run(Fun, Attempts, DelayMs) when Attempts > 1 ->
    case Fun() of
        {ok, Value} ->
            {ok, Value};
        {error, _Reason} ->
            timer:sleep(rand:uniform(min(DelayMs, 30_000))),
            run(Fun, Attempts - 1, DelayMs * 2)
    end.
%% snippet:usage
main() ->
    put(calls, 0),
    Flaky = fun() ->
        put(calls, get(calls) + 1),
        case get(calls) < 3 of true -> {error, busy}; false -> {ok, done} end
    end,
    io:format("~p after ~p~n", [run(Flaky, 5, 1), get(calls)]),
    io:format("~p~n", [run(fun() -> {error, down} end, 2, 1)]).
