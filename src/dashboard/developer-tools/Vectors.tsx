import { Button } from '@mantine/core'
import vectors from '../../../docs/test-vectors.json'
import { Icon } from '../parts/Icon.tsx'
import { ListTable } from '../parts/ListTable.tsx'
import { Panel } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { downloadOf } from './download.ts'
import { developerToolsWords } from './words.ts'

/** A table of the test vectors that every verifier of signatures has to pass, with their download. */
export function Vectors() {
  const t = useWords(developerToolsWords)
  const cases = vectors.vectors.map((vector) => ({ ...vector, id: vector.name }))
  const valid = cases.filter((vector) => vector.valid).length
  return (
    <Panel
      title={t('vectors')}
      end={
        <Button
          component="a"
          {...downloadOf('test-vectors.json', vectors)}
          leftSection={<Icon name="download" />}
        >
          {t('vectors_download')}
        </Button>
      }
    >
      <p className={layout.help}>{t('vectors_lead', { valid, invalid: cases.length - valid })}</p>
      <ListTable
        label={t('vectors')}
        items={cases}
        empty={null}
        columns={[
          {
            head: t('result'),
            cell: (vector) => (
              <Pill tone={vector.valid ? 'ok' : 'bad'}>
                {t(vector.valid ? 'accept' : 'refuse')}
              </Pill>
            ),
          },
          {
            head: t('case'),
            cell: ({ name, reason }) => (
              <bdi lang="en">{reason === null ? name : `${name}: ${reason}`}</bdi>
            ),
          },
        ]}
      />
    </Panel>
  )
}
