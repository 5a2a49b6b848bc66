import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callHttp, jsonOf } from './http-call.js'
import type { LoadStage } from './load-stage.js'
import type { Tenant } from './tenant.js'

const boundary = 'chaos-boundary'

/** Uploads small files, some of several chunks, and records the hash of each. */
export async function uploadOn(stage: LoadStage, tenant: Tenant): Promise<void> {
  while (!stage.isOver) {
    const content = randomBytes(500 + Math.floor(stage.random() * 60_000)).toString('base64')
    const answer = await callHttp(
      { url: stage.url, credentials: tenant.credentials },
      {
        method: 'POST',
        path: '/api/v1/TemporaryFile',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: formOf(content),
      },
    )
    const body = stage.ledger.note('a file', answer, [201])
    if (body !== null) {
      const { id } = jsonOf<{ id: string }>(body)
      const hash = createHash('sha256').update(content).digest('hex')
      stage.ledger.files.push({ tenant: tenant.index, id, hash, acceptedAt: Date.now() })
    }
    await sleep(800 + stage.random() * 1500)
  }
}

function formOf(content: string): Buffer {
  return Buffer.from(
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="notes.txt"',
      'Content-Type: text/plain',
      '',
      content,
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  )
}
