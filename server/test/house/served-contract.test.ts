import { expect, test } from 'vitest'
import { startService } from '../support/start-service.js'
import { readJson } from './source-files.js'

test('[9-1, API-16] GET /openapi.json serves the committed contract, to whoever asks', async () => {
  const running = await startService()
  const response = await fetch(`${running.url}/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toEqual(readJson('contract/openapi.json'))
  await running.close()
})

test('[9-1] the packages carry one version', () => {
  const versionOf = (path: string) => readJson<{ version: string }>(`${path}package.json`).version
  expect([versionOf('contract/'), versionOf('server/')]).toEqual([versionOf(''), versionOf('')])
})
