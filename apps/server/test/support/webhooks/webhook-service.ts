import type { Page, Webhook, WebhookDelivery } from '@parley/contract'
import { beforeAll, expect, vi } from 'vitest'
import type { ApiClient } from '../api-client.js'
import { type RunningService, startService, type TestServiceOptions } from '../start-service.js'
import { makeTestClock, type TestClock } from '../test-clock.js'
import { type Receiver, startReceiver } from './receiver.js'

export type MadeWebhook = Webhook & { readonly secret: string }

export interface WebhookService {
  readonly running: RunningService
  readonly client: ApiClient
  readonly receiver: Receiver
  readonly clock: TestClock
  /** Creates a webhook on its own path. */
  hook(path: string, fields?: object, by?: ApiClient): Promise<MadeWebhook>
  read(webhook: { readonly id: string }, by?: ApiClient): Promise<Webhook>
  deliveries(webhook: { readonly id: string }, query?: string): Promise<readonly WebhookDelivery[]>
  /** Creates a task, which triggers webhooks. Returns its id. */
  makeTask(title?: string, by?: ApiClient): Promise<string>
  /** Polls until the assertion passes. Due deliveries run in the background. */
  until(holds: () => Promise<unknown>): Promise<void>
}

export const webhookPath = '/api/v1/Webhook'

const patiently = { timeout: 60_000, interval: 30 }

/** Starts the service with the test's clock and a receiver that it may reach. */
export function useWebhookService({ env, ...options }: TestServiceOptions = {}): WebhookService {
  const clock = makeTestClock()
  let running: RunningService
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
    running = await startService({
      clock,
      ...options,
      env: { PARLEY_ALLOWED_PRIVATE_HOSTS: receiver.host, PARLEY_WEBHOOK_TIMEOUT_SECONDS: '1', ...env },
    })
  })

  async function call<Body>(by: ApiClient, method: string, path: string, body?: object): Promise<Body> {
    const answer = await by.call<Body>(method, path, body && { body })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }

  return {
    get running() {
      return running
    },
    get client() {
      return running.client
    },
    get receiver() {
      return receiver
    },
    clock,
    hook(path, fields = {}, by = running.client) {
      const input = { name: path, url: `${receiver.url}${path}`, events: ['task.created'], ...fields }
      return call(by, 'POST', webhookPath, input)
    },
    read: ({ id }, by = running.client) => call(by, 'GET', `${webhookPath}/${id}`),
    async deliveries({ id }, query = '') {
      const path = `${webhookPath}/${id}/delivery${query}`
      return (await call<Page<WebhookDelivery>>(running.client, 'GET', path)).items
    },
    async makeTask(title = 'Water the plants', by = running.client) {
      return (await call<{ id: string }>(by, 'POST', '/api/v1/Task', { title })).id
    },
    until: async (holds) => void (await vi.waitFor(holds, patiently)),
  }
}
