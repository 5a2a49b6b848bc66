import type { RequestListener } from 'node:http'
import { afterEach } from 'vitest'
import { makeOutbound, type OutboundOptions } from '#server/adapters/outbound/outbound.js'
import type { Outbound, OutboundFailure } from '#server/ports/outbound.js'
import {
  type RecordingServer,
  type SilentServer,
  startRecordingServer,
  startSilentServer,
} from './recording-server.js'
import { scriptResolver } from './scripted-resolver.js'
import { testCertificate } from './test-certificate.js'

export const limits = { timeoutMilliseconds: 30_000, maxResponseBytes: 1_000 }

export interface OutboundFixture {
  serve(answer?: RequestListener): Promise<RecordingServer>
  serveSecurely(answer?: RequestListener): Promise<RecordingServer>
  serveNothing(): Promise<SilentServer>
  /** Resolves a.test, b.test, other.test and secure.test to 127.0.0.1, and trusts the test certificate. */
  guarded(options?: Partial<OutboundOptions>): Outbound
}

/** Servers and guards that close after each test of the file. */
export function useOutbound(): OutboundFixture {
  const opened: { close(): Promise<void> }[] = []
  const { resolver } = scriptResolver({
    'a.test': [['127.0.0.1']],
    'b.test': [['127.0.0.1']],
    'other.test': [['127.0.0.1']],
    'secure.test': [['127.0.0.1']],
  })
  const defaults: OutboundOptions = {
    allowedPrivateHosts: ['127.0.0.1', 'other.test', 'secure.test'],
    resolver,
    certificateAuthorities: testCertificate.cert,
  }

  function keep<T extends { close(): Promise<void> }>(part: T): T {
    opened.push(part)
    return part
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((part) => part.close()))
  })

  return {
    serve: async (answer) => keep(await startRecordingServer(answer)),
    serveSecurely: async (answer) => keep(await startRecordingServer(answer, { secure: true })),
    serveNothing: async () => keep(await startSilentServer()),
    guarded: (options) => keep(makeOutbound({ ...defaults, ...options })),
  }
}

export const at = ({ port }: SilentServer) => `http://127.0.0.1:${port}/`
export const secureAt = ({ port }: SilentServer) => `https://secure.test:${port}/`

const { isFailure } = makeOutbound({ allowedPrivateHosts: [] })

/** Returns the failure of a call. Throws for any other outcome. */
export async function failureOf(call: Promise<unknown>): Promise<OutboundFailure> {
  const outcome: unknown = await call.catch((error: unknown) => error)
  if (!isFailure(outcome)) throw new Error('The call must fail.', { cause: outcome })
  return outcome
}
