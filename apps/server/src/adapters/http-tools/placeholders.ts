/** The arguments of a call, as placeholders ask for them. */
export type Arguments = Readonly<Record<string, unknown>>

const placeholder = /\{([A-Za-z0-9_-]{1,64})\}/g
const onePlaceholder = /^\{([A-Za-z0-9_-]{1,64})\}$/

/** The argument of that name; undefined where the model left it out or gave null. */
export function argumentOf(given: Arguments, name: string): unknown {
  return (Object.hasOwn(given, name) ? given[name] : undefined) ?? undefined
}

/** The name, where the text is one placeholder and nothing else. */
export function soleName(text: string): string | null {
  return onePlaceholder.exec(text)?.[1] ?? null
}

/** Replaces each placeholder once: what is filled in is not searched for more. */
export function fillIn(text: string, toText: (name: string) => string): string {
  return text.replaceAll(placeholder, (_whole, name: string) => toText(name))
}

/** An argument inside a text: text as it is, everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
