import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RealtimeSessionTicket } from '@parley/contract'
import { expect, inject, test } from 'vitest'
import { readProjectFile } from '../../house/source-files.js'
import { send } from '../../support/http/send.js'
import { startBackend } from '../../support/process/backend-process.js'
import { runShellBlocks, shellBlocksIn } from '../../support/process/run-guide.js'
import { startService } from '../../support/start-service.js'

/** The expected output of each block of a page, in order. A block that only sets variables prints nothing. */
const pages: Readonly<Record<string, readonly RegExp[]>> = {
  start: [/"name":"Front desk"/, /^$/, /"answer":"It is .+"status":"completed"/, /"response\.completed"/],
  'first-agent': [
    /^$/,
    /^$/,
    /^We open at 9 and close at 18\.$/m,
    /^Your name is Lena\.\nuser: When do you open\?$/m,
    /^\["current_time"\][\s\S]+"answer": "It is .+[\s\S]+"current_time"/,
    /^\{"number":2,"changed":\["tools"\]\}\n\{"number":1,.+\n\[\]\n\["current_time"\]$/m,
    /"kind":"embedded","isDefault":true\}\nballad$/m,
    /^\["[\w-]{36}"\]$/m,
  ],
  'tools-and-approvals': [
    /^$/,
    /^$/,
    /"url": "https:\/\/shop\.example\.com\/orders\/17"/,
    /"answer": "The status is sent\."/,
    /"status": "waiting_for_approval"/,
    /"tool": "create_task"/,
    /"state":"approved"/,
    /^Done\..*\ncall Anna back$/m,
  ],
  text: [
    /^$/,
    /"answer":"It is .+"status":"completed"/,
    /^You are welcome\.$/m,
    /"response\.completed"/,
    /^id: 3\n[\s\S]+"response\.completed"/m,
    /^$/,
  ],
  tasks: [
    /^$/,
    /"status":"in_progress"/,
    /"status": "done",\s+"result": "It is /,
    /^in_progress\ncancelled$/m,
    /"nextRunAt": "20\d\d-/,
  ],
}

test.each(Object.entries(pages))(
  'the commands of docs/guide/%s.md work in their order on a new service [DOC-11]',
  async (page, expected) => {
    const running = await startService()
    const outputs = await runShellBlocks(shellBlocksIn(readProjectFile(`docs/guide/${page}.md`)), running)
    expect(outputs).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
    expect(outputs.join('\n')).not.toContain('"errorCode"')
  },
)

test('the website of docs/guide/voice-in-a-page.md shows the element and creates sessions [DOC-11]', async () => {
  const guide = readProjectFile('docs/guide/voice-in-a-page.md')
  const running = await startService()
  const { url, organizationId, apiKey, listening } = running
  const folder = await mkdtemp(join(inject('runDirectory'), 'site-'))
  const [install = '', ...later] = shellBlocksIn(guide)
  expect(later).toHaveLength(2)
  const [, printed = ''] = await runShellBlocks([install, 'echo $PARLEY_AGENT_ID'], running, folder)
  const agentId = printed.trim()
  expect(listening.firstStart?.agentIds).toContain(agentId)

  const [, program = ''] = /```js\n([\s\S]+?)^```$/m.exec(guide) ?? []
  const path = join(folder, 'site.mjs')
  await writeFile(path, program)
  const address = await startBackend(path, {
    PARLEY_URL: url,
    PARLEY_ORG_ID: organizationId,
    PARLEY_API_KEY: apiKey,
    PARLEY_AGENT_ID: agentId,
    PORT: '0',
  })
  const page = await fetch(address)
  expect(await page.text()).toContain(`src="${url}/sdk/v1/parley-agent.js"`)

  const body = JSON.stringify({ conversationId: null, clientTools: [] })
  const created = await fetch(`${address}/session`, { method: 'POST', body })
  const { webSocketPath } = (await created.json()) as Pick<RealtimeSessionTicket, 'webSocketPath'>
  // The token is valid. Only the upgrade to a WebSocket is missing.
  expect((await send(url, { method: 'GET', path: webSocketPath })).status).toBe(426)
})
