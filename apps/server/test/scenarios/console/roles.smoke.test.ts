import { beforeAll, expect, test } from 'vitest'
import { addWaitingApproval } from '../../support/approvals.js'
import { type OpenConsole, openConsole } from '../../support/console/open-console.js'
import { useService } from '../../support/http/use-service.js'
import { type SignedInPerson, signedIn } from '../../support/people/signed-in.js'

const http = useService()
/** Other tests use the machine at the same time. */
const timeout = 60_000

let viewer: SignedInPerson
let viewing: OpenConsole

beforeAll(async () => {
  viewer = await signedIn(http.running, 'viewer')
  viewing = await openConsole(http.running, { as: viewer })
}, timeout)

test('shows a viewer only what the role allows, and the service rejects the rest [CNS-3]', {
  timeout,
}, async () => {
  const { page, show, pageErrors } = viewing
  await show('/agents', 'Agents')
  const links = await page.getByRole('navigation').getByRole('link').allInnerTexts()
  expect(links).toEqual([
    ...['Agents', 'Connections', 'MCP servers', 'Phone numbers', 'Approvals', 'Conversations', 'Sessions'],
    ...['Calls', 'End users', 'Tasks', 'Files', 'Usage', 'Budgets', 'Prices', 'API reference', "What's new"],
  ])
  expect(await page.getByRole('button', { name: 'New agent' }).count()).toBe(0)
  await show('/tasks', 'Tasks')
  expect(await page.getByRole('button', { name: 'New task' }).count()).toBe(0)
  await show('/organization/budgets', 'Budgets')
  expect(await page.getByRole('button', { name: 'New budget' }).count()).toBe(0)
  await page.goto(`${http.running.url}/#/organization/webhooks`)
  await page.getByText('You do not have access to this page').waitFor()
  await page.goto(`${http.running.url}/#/organization/keys`)
  await page.getByText('You do not have access to this page').waitFor()
  expect(pageErrors).toEqual([])
  for (const path of ['/api/v1/ApiKey', '/api/v1/Member', '/api/v1/AuditLog', '/api/v1/Webhook'])
    expect((await viewer.call('GET', path)).status).toBe(403)
})

test('updates the page of one user after the decision of another [CNS-4] [LIVE-1]', { timeout }, async () => {
  const { stores } = http.running.service.database
  await addWaitingApproval(stores, http.running.organizationId)
  const approve = { name: /^Approve / }
  const deciding = await openConsole(http.running, { as: await signedIn(http.running, 'approver') })
  await viewing.show('/approvals', 'Approvals')
  await viewing.page.getByRole('list', { name: 'Pending approvals' }).getByRole('article').waitFor()
  expect(await viewing.page.getByText(/by An approver/).count()).toBe(0)
  expect(await viewing.page.getByRole('button', approve).count()).toBe(0)
  await deciding.show('/approvals', 'Approvals')
  await deciding.page.getByRole('button', approve).click()
  await viewing.page
    .getByText(/by An approver/)
    .first()
    .waitFor()
  expect([...viewing.pageErrors, ...deciding.pageErrors]).toEqual([])
})
