import type { Budget } from '../budget.js'
import type { Cost } from '../cost.js'
import type { Price, PriceList } from '../price.js'
import type { Usage } from '../usage.js'
import { ids, times } from './hotel.js'

export const costOf = (amount: number | null): Cost => ({
  amount,
  currency: 'USD',
  unpricedTokens: 0,
  unpricedSeconds: 0,
  unknownResponses: 0,
})

const figures = {
  sessions: 1,
  turns: 0,
  responses: 4,
  seconds: 221.804,
  audioSeconds: 0,
  toolCalls: 1,
  tokens: {
    textInput: 2890,
    textOutput: 203,
    audioInput: 1217,
    audioOutput: 909,
    imageInput: 0,
    cachedTextInput: 2112,
    cachedAudioInput: 192,
    cachedImageInput: 0,
    cacheWriteTextInput: 0,
  },
  cost: costOf(0.0998816),
}

export const usage: Usage = {
  from: '2026-11-15T00:00:00.000Z',
  to: '2026-11-16T00:00:00.000Z',
  items: [{ group: { day: '2026-11-15', agentId: ids.agent }, ...figures }],
  totals: figures,
  names: { [ids.agent]: 'Front desk' },
}

const noPrice = {
  imageInput: null,
  cachedImageInput: null,
  cacheWriteTextInput: null,
} as const

const customPrice: Price = {
  kind: 'azure-openai',
  model: 'front-desk-deployment',
  aboveInputTokens: 0,
  validFrom: '2026-11-01T00:00:00.000Z',
  perMillion: {
    ...noPrice,
    textInput: 0.25,
    textOutput: 2,
    audioInput: null,
    audioOutput: null,
    cachedTextInput: 0.025,
    cachedAudioInput: null,
  },
  perHour: null,
}

const builtInPrice: Price = {
  kind: 'openai',
  model: 'gpt-realtime-2.1',
  aboveInputTokens: 0,
  validFrom: '1970-01-01T00:00:00.000Z',
  perMillion: {
    textInput: 4,
    textOutput: 24,
    audioInput: 32,
    audioOutput: 64,
    imageInput: 5,
    cachedTextInput: 0.4,
    cachedAudioInput: 0.4,
    cachedImageInput: 0.5,
    cacheWriteTextInput: null,
  },
  perHour: null,
}

export const priceList: PriceList = {
  currency: 'USD',
  items: [customPrice],
  updatedAt: '2026-11-02T09:30:00.000Z',
  defaults: { date: '2026-09-23', source: '@pydantic/genai-prices 0.1.8', items: [builtInPrice] },
}

export const budget: Budget = {
  id: ids.budget,
  ...times('2026-11-02T09:31:00.000Z'),
  name: 'Monthly organization budget',
  agentId: null,
  apiKeyId: null,
  period: 'month',
  limit: { amount: 500 },
  warnAtPercent: 80,
  onExceeded: 'refuse',
  externalId: null,
  managedBy: null,
  spent: { amount: 417.35, currency: 'USD', tokens: 31_204_877, unpricedTokens: 0, percent: 83.47 },
  state: 'warning',
  periodStartsAt: '2026-11-01T00:00:00.000Z',
  resetsAt: '2026-12-01T00:00:00.000Z',
}
