// snippet:doc https://react.dev/reference/react/useContext useContext
// snippet:about React
// snippet:check
import { render } from "./dom.js";
// snippet:prints 1.234,5 in de-DE
// snippet:prints useLanguage: no <LanguageContext> above
// snippet:needs React 19
// snippet:end
import { createContext, useContext } from "react";

type Language = { tag: string; number: (value: number) => string };

const LanguageContext = createContext<Language | null>(null);

export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (!language) throw new Error("useLanguage: no <LanguageContext> above");
  return language;
}

export function Price({ amount }: { amount: number }) {
  const { number, tag } = useLanguage();
  return <span>{`${number(amount)} in ${tag}`}</span>;
}

const german: Language = { tag: "de-DE", number: new Intl.NumberFormat("de-DE").format };
export const shop = (
  <LanguageContext value={german}>
    <Price amount={1234.5} />
  </LanguageContext>
);

// snippet:check
console.log((await render(shop)).textContent);
console.error = () => {};
try {
  await render(<Price amount={1} />);
} catch (error) {
  console.log((error as Error).message);
}
process.exit();
