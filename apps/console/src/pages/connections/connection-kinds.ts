import type { Connection } from '@parley/sdk'

export type ConnectionKind = Connection['kind']

interface KindWords {
  readonly title: string
  /** A description of the kind and its requirements. */
  readonly about: string
  readonly address: 'none' | 'optional' | 'needed'
  readonly addressExample: string
  readonly takesKey: boolean
  readonly hasVoice: boolean
  readonly chatExample: string
}

export const connectionKinds: Readonly<Record<ConnectionKind, KindWords>> = {
  openai: {
    title: 'OpenAI',
    about: 'Text and voice. You need a key of your OpenAI account.',
    address: 'optional',
    addressExample: 'https://api.openai.com/v1',
    takesKey: true,
    hasVoice: true,
    chatExample: 'gpt-5-mini',
  },
  'azure-openai': {
    title: 'Azure OpenAI',
    about:
      'Text and voice. You need the address of your resource and one of its keys; models are your deployments.',
    address: 'needed',
    addressExample: 'https://your-resource.openai.azure.com',
    takesKey: true,
    hasVoice: true,
    chatExample: 'the name of a deployment',
  },
  'openai-compatible': {
    title: 'Compatible with OpenAI',
    about:
      'Anything that speaks OpenAI’s protocol: a gateway, vLLM, Ollama, LocalAI. A key only where it asks for one.',
    address: 'needed',
    addressExample: 'https://llm.example.com/v1',
    takesKey: true,
    hasVoice: true,
    chatExample: 'qwen3',
  },
  anthropic: {
    title: 'Anthropic',
    about: 'Text alone. To talk with it, let a built-in connection speak for it.',
    address: 'optional',
    addressExample: 'https://api.anthropic.com',
    takesKey: true,
    hasVoice: false,
    chatExample: 'claude-sonnet-5',
  },
  embedded: {
    title: 'Built-in',
    about:
      'Part of the service: hears and speaks without any account. It thinks with a small offline model, or speaks for another connection’s text model.',
    address: 'none',
    addressExample: '',
    takesKey: false,
    hasVoice: true,
    chatExample: '',
  },
}

export const kindOptions = Object.entries(connectionKinds).map(([value, { title }]) => ({
  value,
  label: title,
}))

export function kindOf(value: string | null): ConnectionKind | null {
  switch (value) {
    case 'openai':
    case 'azure-openai':
    case 'openai-compatible':
    case 'anthropic':
    case 'embedded':
      return value
    default:
      return null
  }
}
