// snippet:description Vectors of three numbers, and the distance along a ray to a sphere: how far away is what is seen or hit? There
// snippet:description is none where the ray flies past, and none where it starts inside.
// snippet:why Lines of sight and picking with the mouse ask what a ray hits.
// snippet:title Does a ray hit a sphere?
// snippet:doc https://www.typescriptlang.org/docs/handbook/2/objects.html#tuple-types Tuple types
export type Vec3 = readonly [x: number, y: number, z: number];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale = (a: Vec3, k: number): Vec3 => [a[0] * k, a[1] * k, a[2] * k];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.hypot(...a);

export interface Ray {
  readonly origin: Vec3;
  readonly direction: Vec3; // of length 1
}

/** Distance along the ray to a sphere, or null when it flies past or starts inside. */
export function hitSphere({ origin, direction }: Ray, centre: Vec3, radius: number): number | null {
  const toCentre = add(centre, scale(origin, -1));
  const along = dot(toCentre, direction);
  const miss = add(toCentre, scale(direction, -along)); // from the ray's nearest point to the centre
  const halfSquared = radius * radius - dot(miss, miss);
  if (halfSquared < 0) return null;
  const near = along - Math.sqrt(halfSquared);
  return near >= 0 ? near : null;
}

const camera: Ray = { origin: [0, 0, 0], direction: [0, 0, 1] };
console.log(hitSphere(camera, [0, 3, 10], 5), hitSphere(camera, [0, 6, 10], 5));
// snippet:prints 6 null
// snippet:usage
console.log(hitSphere(camera, [0, 3, 1e9], 5), hitSphere(camera, [0, 6, 1e9], 5));
// snippet:prints 999999996 null
