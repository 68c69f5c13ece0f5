// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Operators/Bitwise_AND Bitwise AND
// snippet:title Permissions in the bits of a number
// snippet:description Keep a set of permissions in one small number: add, remove and test them by name. The compiler knows the
// snippet:description names.
// snippet:why Several permissions fit into one number, and each has a name.
const Permission = {
  read: 1 << 0,
  write: 1 << 1,
  share: 1 << 2,
  administer: 1 << 3,
} as const;
type PermissionName = keyof typeof Permission;

/** A set of permissions in one small number: `bits`. */
export class Permissions {
  private constructor(readonly bits: number) {}

  static of = (...names: PermissionName[]): Permissions =>
    new Permissions(names.reduce((bits, name) => bits | Permission[name], 0));

  has = (name: PermissionName): boolean => (this.bits & Permission[name]) !== 0;
  with = (name: PermissionName): Permissions => new Permissions(this.bits | Permission[name]);
  without = (name: PermissionName): Permissions => new Permissions(this.bits & ~Permission[name]);

  get names(): PermissionName[] {
    return (Object.keys(Permission) as PermissionName[]).filter(this.has);
  }
}

const editor = Permissions.of("read", "write").with("share").without("write");
console.log(editor.bits.toString(2).padStart(4, "0"), editor.names, editor.has("write"));
// snippet:prints 0101 [ 'read', 'share' ] false
