import { describe, expect, test } from 'vitest'
import { parseConfig } from '#server/config/config.js'
import { describeModel } from '#server/edge/terminal/announce.js'

const engine = {
  connectionName: 'Built-in engine',
  kind: 'embedded',
  model: null,
  baseUrl: null,
  isSpokenByEngine: true,
  isFromEnvironment: false,
} as const

function linesWith(env: Readonly<Record<string, string>>): string {
  const parsed = parseConfig(env)
  if (!parsed.ok) throw new Error(parsed.errors.join())
  return describeModel(engine, parsed.config).join('\n')
}

describe('the demo model on the start screen [START-4]', () => {
  test('names the settings for a real model', () => {
    expect(linesWith({})).toContain('set OPENAI_API_KEY, ANTHROPIC_API_KEY or PARLEY_CHAT_URL')
  })

  test('explains why a setting has no effect if the engine is the chosen default connection', () => {
    const lines = linesWith({ OPENAI_API_KEY: 'sk-1' })
    expect(lines).toContain('OPENAI_API_KEY is set, but the default connection is Built-in engine')
    expect(lines).toContain('"isDefault":true')
    expect(lines).not.toContain('set OPENAI_API_KEY,')
  })
})
