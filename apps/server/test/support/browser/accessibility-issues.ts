import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let axeSource: Promise<string> | undefined

/** Each rule has a fixed impact. These are below serious, so their findings would never be reported. */
const lowImpactRules = [
  ...['aria-allowed-role', 'aria-deprecated-role', 'empty-heading', 'empty-table-header'],
  ...['form-field-multiple-labels', 'heading-order', 'html-xml-lang-mismatch', 'image-redundant-alt'],
  ...['landmark-banner-is-top-level', 'landmark-contentinfo-is-top-level', 'landmark-main-is-top-level'],
  ...['landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main'],
  ...['landmark-one-main', 'landmark-unique', 'meta-viewport', 'meta-viewport-large', 'no-autoplay-audio'],
  ...['page-has-heading-one', 'presentation-role-conflict', 'region', 'scope-attr-valid'],
  ...['server-side-image-map', 'skip-link', 'table-duplicate-name'],
]

/** Rules that check colors. */
const colorRules = ['color-contrast', 'link-in-text-block']

const ruleSets = {
  all: { rules: Object.fromEntries(lowImpactRules.map((id) => [id, { enabled: false }])) },
  colors: { runOnly: colorRules },
}

/** The preload of axe, which loads all stylesheets, finds nothing serious, so it is turned off. */
const options = { resultTypes: ['violations'], preload: false }

interface Look {
  /** The selector of the part to check. */
  readonly part: string
  readonly rules: keyof typeof ruleSets
}

/** Returns the serious accessibility findings in a part of the page, with their elements. */
export async function findAccessibilityIssues(page: Page, { part, rules }: Look): Promise<readonly string[]> {
  axeSource ??= readFile(axe, 'utf8')
  const isThere = await page.evaluate<boolean>('"axe" in window')
  if (!isThere) await page.evaluate(await axeSource)
  const asked = JSON.stringify({ ...options, ...ruleSets[rules] })
  const { violations } = await page.evaluate<AxeResults>(`axe.run('${part}', ${asked})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}
