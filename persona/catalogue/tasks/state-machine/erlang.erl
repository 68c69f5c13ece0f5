%% snippet:description A door with a code lock as a gen_statem process: each state is a function, and each of its clauses an event.
%% snippet:description The right digits open it; after a set time it locks itself again. Digits that are pressed while it is open
%% snippet:description change nothing.
%% snippet:doc https://www.erlang.org/doc/apps/stdlib/gen_statem.html gen_statem
%% snippet:prints [locked,locked,locked,open,open]
%% snippet:prints locked
-module(door).
%% snippet:check
-export([main/0]).
%% snippet:end
-behaviour(gen_statem).
-export([start_link/2, press/2]).
-export([init/1, callback_mode/0, locked/3, open/3]).

start_link(Code, OpenMs) -> gen_statem:start_link(?MODULE, {Code, OpenMs}, []).
press(Door, Digit) -> gen_statem:call(Door, {press, Digit}).

callback_mode() -> state_functions.
init({[_ | _] = Code, OpenMs}) ->
    {ok, locked, #{code => lists:reverse(Code), typed => [], open => OpenMs}}.

locked({call, From}, {press, Digit}, #{code := Code, typed := Typed} = Data) ->
    case lists:sublist([Digit | Typed], length(Code)) of
        Entered when Entered =:= Code -> % the code is kept with its last digit first
            Timeout = {state_timeout, maps:get(open, Data), lock},
            {next_state, open, Data#{typed := []}, [{reply, From, open}, Timeout]};
        Entered ->
            {keep_state, Data#{typed := Entered}, [{reply, From, locked}]}
    end.

open(state_timeout, lock, Data) ->
    {next_state, locked, Data};
open({call, From}, {press, _}, _Data) ->
    {keep_state_and_data, [{reply, From, open}]}.
%% snippet:check
main() ->
    {ok, Door} = start_link([1, 2, 3], 300),
    io:format("~p~n", [[press(Door, D) || D <- [9, 1, 2, 3, 7]]]),
    timer:sleep(600),
    io:format("~p~n", [press(Door, 1)]).
