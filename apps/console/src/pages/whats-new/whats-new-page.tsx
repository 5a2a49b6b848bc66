import { Paper } from '@mantine/core'
import changes from '../../../../../CHANGELOG.md?raw'
import { Markdown } from '../../parts/markdown'
import { PageFrame } from '../../parts/page-frame'

/** The changelog of the repository. */
export function WhatsNewPage() {
  return (
    <PageFrame title="What's new">
      <Paper withBorder p="lg" bg="var(--parley-card)">
        <Markdown text={changes.replace(/^# .*\n/, '')} />
      </Paper>
    </PageFrame>
  )
}
