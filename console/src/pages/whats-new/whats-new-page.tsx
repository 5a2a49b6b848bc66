import { PageFrame } from '../../parts/page-frame'

export function WhatsNewPage() {
  return <PageFrame title="What's New">{null}</PageFrame>
}
