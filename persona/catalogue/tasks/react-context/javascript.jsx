// snippet:doc https://react.dev/reference/react/useContext useContext
// snippet:about React
// snippet:check
import { render } from "./dom.js";
// snippet:prints 1.234,5 in de-DE
// snippet:prints useLanguage: no <LanguageContext> above
// snippet:needs React 19
// snippet:description A context hands a value to everything below it, without passing it through each component. Its default is
// snippet:description `null`, and the hook turns that into an error with a name, where a silent default would only look wrong.
// snippet:why Theme, user or language reach what is below.
// snippet:end
import { createContext, useContext } from "react";

const LanguageContext = createContext(null);

export function useLanguage() {
  const language = useContext(LanguageContext);
  if (!language) throw new Error("useLanguage: no <LanguageContext> above");
  return language;
}

export function Price({ amount }) {
  const { number, tag } = useLanguage();
  return <span>{`${number(amount)} in ${tag}`}</span>;
}

const german = { tag: "de-DE", number: new Intl.NumberFormat("de-DE").format };
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
  console.log(error.message);
}
process.exit();
