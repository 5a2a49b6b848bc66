const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Characters that XML 1.0 forbids, even as references. */
const forbidden = /(?![\t\n\r])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu

const escapeText = (text: string) =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Content of an element: markup of another element, or text to escape. */
export type XmlContent = string | { readonly text: string }

/** Returns a document whose root is `Response`, as Twilio and Plivo expect it. */
export function xmlResponse(...elements: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${xmlElement('Response', {}, ...elements)}`
}

/** Returns the markup of an element. Attributes that are null are left out. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | null>>,
  ...content: readonly XmlContent[]
): string {
  const head = Object.entries(attributes)
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .map(([key, value]) => ` ${key}="${escapeText(value)}"`)
    .join('')
  if (content.length === 0) return `<${name}${head}/>`
  const inner = content.map((part) => (typeof part === 'string' ? part : escapeText(part.text))).join('')
  return `<${name}${head}>${inner}</${name}>`
}
