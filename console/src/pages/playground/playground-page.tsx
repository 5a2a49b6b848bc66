import { PageFrame } from '../../parts/page-frame'

export function PlaygroundPage() {
  return <PageFrame title="Playground">{null}</PageFrame>
}
