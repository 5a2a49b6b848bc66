import { expect, test } from 'vitest'
import { addWaitingApproval } from '../../support/approvals.js'
import { openConsole } from '../../support/console/open-console.js'
import { useService } from '../../support/http/use-service.js'
import { signedIn } from '../../support/people/signed-in.js'

const http = useService()
/** Browsers share the machine with other tests. */
const timeout = 60_000

test('[CNS-3] a viewer is shown what a viewer may see, and the service refuses the rest', {
  timeout,
}, async () => {
  const viewer = await signedIn(http.running, 'viewer')
  const { page, show, troubles } = await openConsole(http.running, { as: viewer })
  await show('/agents', 'Agents')
  const links = await page.getByRole('navigation').getByRole('link').allInnerTexts()
  expect(links).toEqual([
    ...['Agents', 'Connections', 'Approvals', 'Conversations', 'Sessions', 'Tasks', 'Files'],
    ...['Usage', 'Budgets', 'Prices', 'API reference', "What's New"],
  ])
  expect(await page.getByRole('button', { name: 'New agent' }).count()).toBe(0)
  await show('/tasks', 'Tasks')
  expect(await page.getByRole('button', { name: 'New task' }).count()).toBe(0)
  await show('/organization/budgets', 'Budgets')
  expect(await page.getByRole('button', { name: 'New budget' }).count()).toBe(0)
  await page.goto(`${http.running.url}/#/organization/webhooks`)
  await page.getByText('Your role does not include this page').waitFor()
  await page.goto(`${http.running.url}/#/organization/keys`)
  await page.getByText('Your role does not include this page').waitFor()
  expect(troubles).toEqual([])
  for (const path of ['/api/v1/ApiKey', '/api/v1/Member', '/api/v1/AuditLog', '/api/v1/Webhook'])
    expect((await viewer.call('GET', path)).status).toBe(403)
})

test('[CNS-4] [LIVE-1] what one decides changes before the eyes of another', { timeout }, async () => {
  const { stores } = http.running.service.database
  await addWaitingApproval(stores, http.running.organizationId)
  const approve = { name: /^Approve / }
  const [first, second] = await Promise.all(
    (['owner', 'approver'] as const).map(async (role) =>
      openConsole(http.running, { as: await signedIn(http.running, role) }),
    ),
  )
  if (first === undefined || second === undefined) throw new Error('Two have come.')
  await first.show('/approvals', 'Approvals')
  await second.show('/approvals', 'Approvals')
  await first.page.getByRole('button', approve).waitFor()
  await second.page.getByRole('button', approve).click()
  await first.page
    .getByText(/by An approver/)
    .first()
    .waitFor()
  expect(await first.page.getByRole('button', approve).count()).toBe(0)
  expect([...first.troubles, ...second.troubles]).toEqual([])
})

test('[CNS-5] a session that was ended elsewhere asks for the password, and what was being written stays', {
  timeout,
}, async () => {
  const builder = await signedIn(http.running, 'builder')
  const { page, show } = await openConsole(http.running, { as: builder })
  await show('/tasks', 'Tasks')
  await page.getByRole('button', { name: 'New task' }).first().click()
  await page.getByLabel('Title').fill('Water the plants')
  await builder.call('POST', '/api/v1/SignOut')
  const door = page.getByRole('dialog', { name: /session has ended/ })
  await door.waitFor({ timeout: 30_000 })
  await door.getByRole('textbox', { name: 'Password' }).fill('a long sentence to remember')
  await door.getByRole('button', { name: 'Sign in' }).click()
  await door.waitFor({ state: 'hidden' })
  expect(await page.getByLabel('Title').inputValue()).toBe('Water the plants')
  await page.getByRole('button', { name: 'Create task' }).click()
  await page.getByRole('row', { name: /Water the plants/ }).waitFor()
})
