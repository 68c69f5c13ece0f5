// snippet:check
// snippet:doc https://docwiki.embarcadero.com/RADStudio/Athens/en/Procedural_Types_(Delphi)#Method_Pointers Method pointers
// snippet:prints log 1
// snippet:prints total 1
// snippet:prints log 2
// snippet:end
{$ifdef FPC}{$mode delphi}{$endif}
// snippet:check
program Main;
// snippet:end
uses
  Generics.Collections;

type
  { A method pointer carries its object with it, so a listener needs no interface. }
  TListener<T> = procedure(const Value: T) of object;

  TEvent<T> = class
  private
    type TListeners = TList<TListener<T>>;
    var FListeners: TListeners;
  public
    constructor Create;
    destructor Destroy; override;
    procedure Subscribe(Listener: TListener<T>);
    procedure Unsubscribe(Listener: TListener<T>);
    procedure Publish(const Value: T);
  end;

constructor TEvent<T>.Create; begin FListeners := TListeners.Create; end;
destructor TEvent<T>.Destroy; begin FListeners.Free; inherited; end;
procedure TEvent<T>.Subscribe(Listener: TListener<T>); begin FListeners.Add(Listener); end;
procedure TEvent<T>.Unsubscribe(Listener: TListener<T>); begin FListeners.Remove(Listener); end;

procedure TEvent<T>.Publish(const Value: T);
var
  Listener: TListener<T>;
begin
  for Listener in FListeners.ToArray do // a copy: who is taken away meanwhile still hears this
    Listener(Value);
end;
// snippet:check
type
  TApp = class
    Changed: TEvent<Integer>;
    Sum: Integer;
    procedure Log(const Value: Integer);
    procedure Total(const Value: Integer);
  end;
procedure TApp.Log(const Value: Integer);
begin
  WriteLn('log ', Value);
end;
procedure TApp.Total(const Value: Integer);
begin
  Inc(Sum, Value);
  WriteLn('total ', Sum);
  Changed.Unsubscribe(Total);
end;
var
  App: TApp;
begin
  App := TApp.Create;
  App.Changed := TEvent<Integer>.Create;
  App.Changed.Subscribe(App.Log);
  App.Changed.Subscribe(App.Total);
  App.Changed.Publish(1);
  App.Changed.Publish(2);
  App.Changed.Free;
  App.Free;
end.
