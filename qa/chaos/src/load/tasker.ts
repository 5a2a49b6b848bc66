import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeWork } from '@parley/stage/models/working-model'
import { callHttp, jsonOf } from './http-call.js'
import type { LoadStage } from './load-stage.js'
import type { Tenant } from './tenant.js'

const steps = 2

/** Hands over tasks. Retries each with the same idempotency key until it is accepted. */
export async function handOverOn(stage: LoadStage, tenant: Tenant, index: number): Promise<void> {
  for (let number = 1; !stage.isOver; number += 1) {
    const key = `t${index}-${number}`
    const isStubborn = stage.random() < 0.3
    const idempotencyKey = randomUUID()
    const title = describeWork({ key, steps, isStubborn })
    const body = { title, agentId: tenant.textAgentId, maxAttempts: 20, runAt: new Date().toISOString() }
    for (let isTaken = false; !isTaken && !stage.isOver; ) {
      const answer = await callHttp(
        { url: stage.url, credentials: tenant.credentials },
        { method: 'POST', path: '/api/v1/Task', body, headers: { 'idempotency-key': idempotencyKey } },
      )
      const taken = stage.ledger.note('a task', answer, [201])
      if (taken === null) await sleep(500)
      else {
        isTaken = true
        const { id } = jsonOf<{ id: string }>(taken)
        stage.ledger.tasks.push({ tenant: tenant.index, id, key, acceptedAt: Date.now() })
      }
    }
    await sleep(1500 + stage.random() * 2500)
  }
}
