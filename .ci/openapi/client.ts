// Compiles only while each response has one type.
import createClient from "openapi-fetch";
import type { paths } from "./document";

const gateway = createClient<paths>({ baseUrl: "http://localhost:8080" });

const { data, error } = await gateway.POST("/machine_learning/text/technical_language/parsers/segmentation", {
  params: { query: { classify: true } },
  body: { value: "Try this:\n\nprint(1)\n" },
});
export const kinds: ("CODE" | "TEXT")[] | undefined = data?.iterable.map((segment) => segment.generic);
export const wrong: number | string | undefined = error && ("status" in error ? error.status : error.error);

const { data: person } = await gateway.POST("/machine_learning/text/technical_language/generators/personification", {
  body: { languages: ["Go"] },
});
export const names: (string | undefined)[] | undefined = person?.seeds.iterable.map((seed) => seed.asset?.metadata?.name);

const { data: user, error: refused } = await gateway.GET("/userinfo");
export const subject: string | undefined = user?.sub;
export const refusal: object | undefined = refused;
