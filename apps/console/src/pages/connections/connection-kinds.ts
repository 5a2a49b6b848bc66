import type { Connection } from '@parley/sdk'

export type ConnectionKind = Connection['kind']

interface KindLabels {
  readonly label: string
  /** A description of the kind and its requirements. */
  readonly about: string
  readonly address: 'none' | 'optional' | 'needed'
  readonly addressExample: string
  readonly takesKey: boolean
  readonly hasVoice: boolean
  /** The voice of agents that choose none. */
  readonly defaultVoice: string
  readonly chatExample: string
}

export const connectionKinds: Readonly<Record<ConnectionKind, KindLabels>> = {
  openai: {
    label: 'OpenAI',
    about: 'Text and voice. Requires an OpenAI API key.',
    address: 'optional',
    addressExample: 'https://api.openai.com/v1',
    takesKey: true,
    hasVoice: true,
    defaultVoice: 'alloy',
    chatExample: 'gpt-5-mini',
  },
  'azure-openai': {
    label: 'Azure OpenAI',
    about: 'Text and voice. Requires your resource URL and an API key. Models are your deployments.',
    address: 'needed',
    addressExample: 'https://your-resource.openai.azure.com',
    takesKey: true,
    hasVoice: true,
    defaultVoice: 'alloy',
    chatExample: 'your-deployment',
  },
  'azure-voice-live': {
    label: 'Azure Voice Live',
    about: 'Voice only. Requires your Foundry resource URL and an API key.',
    address: 'needed',
    addressExample: 'https://your-resource.services.ai.azure.com',
    takesKey: true,
    hasVoice: true,
    defaultVoice: 'alloy',
    chatExample: '',
  },
  xai: {
    label: 'xAI',
    about: 'Text and voice (Grok). Requires an xAI API key.',
    address: 'optional',
    addressExample: 'https://api.x.ai/v1',
    takesKey: true,
    hasVoice: true,
    defaultVoice: 'ara',
    chatExample: 'grok-4-fast',
  },
  qwen: {
    label: 'Qwen',
    about: 'Text and voice (Qwen-Omni). Requires the URL and an API key of your Model Studio workspace.',
    address: 'needed',
    addressExample: 'https://your-workspace.ap-southeast-1.maas.aliyuncs.com',
    takesKey: true,
    hasVoice: true,
    defaultVoice: 'Tina',
    chatExample: 'qwen3.7-plus',
  },
  google: {
    label: 'Google',
    about:
      'Text and voice (Gemini). Requires a Gemini API key. For Vertex AI, enter the URL of your project’s location, and the JSON key of a service account.',
    address: 'optional',
    addressExample: 'https://generativelanguage.googleapis.com/v1beta',
    takesKey: true,
    hasVoice: true,
    defaultVoice: 'Puck',
    chatExample: 'gemini-2.5-flash',
  },
  'openai-compatible': {
    label: 'OpenAI-compatible',
    about: 'Any API compatible with OpenAI, such as vLLM, Ollama or LocalAI. The API key is optional.',
    address: 'needed',
    addressExample: 'https://llm.example.com/v1',
    takesKey: true,
    hasVoice: true,
    defaultVoice: 'alloy',
    chatExample: 'qwen3',
  },
  anthropic: {
    label: 'Anthropic',
    about: 'Text only. For voice, use it as the text model connection of a built-in connection.',
    address: 'optional',
    addressExample: 'https://api.anthropic.com',
    takesKey: true,
    hasVoice: false,
    defaultVoice: '',
    chatExample: 'claude-sonnet-5',
  },
  embedded: {
    label: 'Built-in',
    about:
      'Speech and a small offline model, without an account. Can add speech to another connection’s text model.',
    address: 'none',
    addressExample: '',
    takesKey: false,
    hasVoice: true,
    defaultVoice: '',
    chatExample: '',
  },
}
