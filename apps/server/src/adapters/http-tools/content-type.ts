import { TextDecoder } from 'node:util'

/** The content type of a response. */
export interface ContentType {
  /** For users. */
  readonly name: string
  readonly isJson: boolean
  /** Returns the body as text, or null if it is not text. */
  toText(bytes: Uint8Array): string | null
}

const textTypes =
  /^(?:text\/.*|.*[/+](?:json|xml|yaml|x-yaml|javascript|ecmascript|graphql|x-ndjson|ndjson|jsonl|csv|toml|x-www-form-urlencoded)|application\/(?:json-seq|sql|problem\+json))$/

export function contentTypeOf(header: string | undefined): ContentType {
  const [essence = '', ...parameters] = (header ?? '').toLowerCase().split(';')
  const name = essence.trim().slice(0, 100)
  const charset = parameters.map(charsetOf).find((each) => each !== null) ?? 'utf-8'
  return {
    name: name === '' ? 'content of an unknown type' : name,
    isJson: /[/+]json$/.test(name),
    toText(bytes) {
      if (name === '') return unnamedText(bytes)
      return textTypes.test(name) ? decoderFor(charset).decode(bytes) : null
    },
  }
}

function charsetOf(parameter: string): string | null {
  const [name, value] = parameter.trim().split('=', 2)
  return name === 'charset' && value !== undefined ? value.replaceAll('"', '').trim() : null
}

/** Without a content type, the body is text if it can be decoded as text. */
function unnamedText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
