import { expect, test } from 'vitest'
import { newVisitor } from '../../support/browser/browser.js'
import { visit } from '../../support/browser/visit.js'
import { openConsole } from '../../support/console/open-console.js'
import { useService } from '../../support/http/use-service.js'
import { signedIn } from '../../support/people/signed-in.js'

const http = useService()

test.each([
  ['/', 'Sign in'],
  ['/start', 'Parley'],
  ['/docs', 'Parley API'],
])('%s opens in a browser without errors [DOC-6]', async (path, heading) => {
  const { page, pageErrors } = await visit(`${http.running.url}${path}`)
  await page.getByRole('heading', { name: heading, level: 1 }).first().waitFor()
  expect(pageErrors).toEqual([])
})

test('/docs shows links if scripts are disabled [DOC-7]', async () => {
  const page = await (await newVisitor({ javaScriptEnabled: false })).newPage()
  await page.goto(`${http.running.url}/docs`)
  await page.getByRole('heading', { name: 'Parley API', level: 1 }).waitFor()
  const links = await page.getByRole('link').all()
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')))
  expect(paths).toEqual(['/openapi.json', '/asyncapi.json', '/start'])
  for (const path of paths) expect((await page.goto(`${http.running.url}${path}`))?.status()).toBe(200)
})

test('/docs tries a call with the session of a signed-in person, without a warning [DOC-12]', async () => {
  const owner = await signedIn(http.running, 'owner')
  const { page, pageErrors } = await openConsole(http.running, { as: owner })
  await page.goto(`${http.running.url}/docs/`)
  await page.getByRole('button', { name: 'Test Request' }).first().click()
  const called = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/v1/Agent')
  await page.getByRole('button', { name: 'Send' }).first().click()
  expect((await called).status()).toBe(200)
  expect(await (await called).request().allHeaders()).toMatchObject({
    'x-org-id': http.running.organizationId,
    cookie: owner.cookie,
  })
  expect(pageErrors).toEqual([])
})

test('/docs asks a visitor for a key and an organization [DOC-12]', async () => {
  const { page, pageErrors } = await openConsole(http.running)
  await page.goto(`${http.running.url}/docs/`)
  await page.getByText('ApiKey & OrganizationId').first().waitFor()
  expect(pageErrors).toEqual([])
})
