%% snippet:doc https://www.erlang.org/doc/system/bit_syntax.html Bit syntax
%% snippet:prints {ok,[{1,<<"hi">>},{1,<<"hi">>}],<<"MX">>}
%% snippet:prints {error,{not_a_frame,<<"HT">>}}
-module(frame).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([encode/2, decode/1]).

%% Magic "MX", kind, length (16 bits, big-endian), payload.
encode(Kind, Payload) when Kind >= 0, Kind =< 255, byte_size(Payload) < 16#10000 ->
    <<"MX", Kind:8, (byte_size(Payload)):16, Payload/binary>>.

%% All complete frames, and the bytes that wait for more. Where wrong bytes
%% stand between frames, none is returned.
decode(Binary) ->
    decode(Binary, []).

decode(<<"MX", Kind:8, Size:16, Payload:Size/binary, Rest/binary>>, Frames) ->
    decode(Rest, [{Kind, Payload} | Frames]);
decode(<<"MX", _/binary>> = Rest, Frames) ->
    {ok, lists:reverse(Frames), Rest};
decode(Rest, Frames) when byte_size(Rest) < 2 ->
    {ok, lists:reverse(Frames), Rest};
decode(<<Wrong:2/binary, _/binary>>, _Frames) ->
    {error, {not_a_frame, Wrong}}.
%% snippet:check
main() ->
    One = encode(1, <<"hi">>),
    io:format("~p~n", [decode(<<One/binary, One/binary, "MX">>)]),
    io:format("~p~n", [decode(<<"HTTP">>)]).
