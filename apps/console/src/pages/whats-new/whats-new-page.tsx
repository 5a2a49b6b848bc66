import { Paper } from '@mantine/core'
import changes from '../../../../../CHANGELOG.md?raw'
import { Markdown } from '../../parts/markdown'
import { PageFrame } from '../../parts/page-frame'

/** The changelog without its title and its links to documents that the service does not serve. */
const text = changes.replace(/^# .*\n/, '').replaceAll(/\s*\(\[[^\]]+\]\((?!https?:)[^)]*\)\)/g, '')

/** The changelog of the repository. */
export function WhatsNewPage() {
  return (
    <PageFrame title="What's new">
      <Paper withBorder p="lg" bg="var(--parley-card)">
        <Markdown text={text} />
      </Paper>
    </PageFrame>
  )
}
