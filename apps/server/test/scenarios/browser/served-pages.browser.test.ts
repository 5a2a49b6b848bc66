import { expect, test } from 'vitest'
import { newVisitor } from '../../support/browser/browser.js'
import { visit } from '../../support/browser/visit.js'
import { useService } from '../../support/http/use-service.js'

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
