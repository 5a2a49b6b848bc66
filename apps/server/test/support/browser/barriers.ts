import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let axeSource: Promise<string> | undefined

/** Each rule has one weight, and that of these is below serious: whatever they find, nobody is told of it. */
const neverSerious = [
  ...['aria-allowed-role', 'aria-deprecated-role', 'empty-heading', 'empty-table-header'],
  ...['form-field-multiple-labels', 'heading-order', 'html-xml-lang-mismatch', 'image-redundant-alt'],
  ...['landmark-banner-is-top-level', 'landmark-contentinfo-is-top-level', 'landmark-main-is-top-level'],
  ...['landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main'],
  ...['landmark-one-main', 'landmark-unique', 'meta-viewport', 'meta-viewport-large', 'no-autoplay-audio'],
  ...['page-has-heading-one', 'presentation-role-conflict', 'region', 'scope-attr-valid'],
  ...['server-side-image-map', 'skip-link', 'table-duplicate-name'],
]

/** Those that look at colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

const ruleSets = {
  all: { rules: Object.fromEntries(neverSerious.map((id) => [id, { enabled: false }])) },
  colors: { runOnly: colorRules },
}

/** Nothing serious is found by what axe would load beforehand, all stylesheets among it, in each run. */
const options = { resultTypes: ['violations'], preload: false }

interface Look {
  /** What is looked at, as a selector. */
  readonly part: string
  readonly rules: keyof typeof ruleSets
}

/** What would keep people from using a part of the page: serious findings, with where they are. */
export async function findBarriers(page: Page, { part, rules }: Look): Promise<readonly string[]> {
  axeSource ??= readFile(axe, 'utf8')
  const isThere = await page.evaluate<boolean>('"axe" in window')
  if (!isThere) await page.evaluate(await axeSource)
  const asked = JSON.stringify({ ...options, ...ruleSets[rules] })
  const { violations } = await page.evaluate<AxeResults>(`axe.run('${part}', ${asked})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}
