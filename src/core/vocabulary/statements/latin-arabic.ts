/** Arabic in Latin letters and digits, by the consonants of its words. */
import { wordSet } from '../word-set.ts'
import type { ClaimKind } from './kinds.ts'

/** Consonants of stems: "7ajazt" is 7jz and t. */
export const SKELETONS: readonly (readonly [stems: string, kinds: readonly ClaimKind[]])[] = [
  ['lgh lg l3 knsl cncl cnsl', ['cancels']],
  ['wqf wkf wgf wf 7df 7zf sl shl ms7', ['cancels', 'changes']],
  ['7jz 7gz', ['books']],
  ['rj rj3 rg3 strj3 strd stard rd', ['refunds']],
  ['ghyr gyr 3dl bdl nql nkl ngl nl jl gl 7ds stbdl md mdd jd jdd gdd gd', ['changes', 'books']],
  ['b b3t b3s rsl trsh b3th wd', ['sends']],
  ['ft7 sjl sgl rf3 qdm wd3 7dd drj', ['opens', 'changes', 'books']],
  ['khsm df3 s7b sdd sd', ['charges']],
  ['7wl', ['refunds', 'charges', 'changes']],
  [
    'kd f3l df zwd tbq tbk nzl rf sl7 wf fk bl qbl fdy fd s3d khls sw 3ml zbt zb dbt db sbt thbt 7t rtb zgt jhz 3ty 7l nfz',
    ['other'],
  ],
]

/** Consonants of verbal substantives: "elgha2" is lgh. */
export const NOUN_SKELETONS: readonly (readonly [nouns: string, kinds: readonly ClaimKind[]])[] = [
  ['lgh lg lgh2 knsl', ['cancels']],
  ['7jz 7gz', ['books']],
  ['strd strj3 rj3 stdd', ['refunds']],
  ['t3dl tghyr tgyr tbdl tjl tgl t7ds stbdl', ['changes', 'books']],
  ['rsl', ['sends']],
  ['tsjl tsgl ft7', ['opens', 'books']],
  ['df3 khsm', ['charges']],
  ['tkd tf3l df t7wl', ['other']],
]

/** Words for "for you" and "to you". */
export const YOU_WORDS = wordSet(
  'lak lek lik lk elak elek ilak ilek elik lakom lkom lakum laki leki likom 3ashanak 3shanak ilik',
)
/** Objects of trade, also with "your" joined to them. */
export const THINGS = wordSet(
  `order 7agz 7ajz talab talabak talabik talabek ordarak maw3ed maw3id maw3edak maw3idak mo3ad me3ad 7ajz 7agz 7ajzak 3onwan 3enwan
  3enwanak 3onwanak floos flous fluus floosak floosek masari msari masarik mablagh mablag fatora fatoora code card
  eshterak eshterakak ishtirak raqam raqmak rakamak ra2mak ra2am mo3ed coupon 5asm khasm kart karta appointment booking
  shakwa shakwak shakwet shakwetak 7esab 7sab hesab ma3ad tasleeh moshkela mushkila moshkile mawdo3 kolo kollo kullo kel esmak ismak raseedak 7sabak 7isabak payment refund invoice address size ma2as maqas tarabeza tawla talabkom`,
)
/** Couriers and other parties: their call is a part of a delivery, and to have informed them is a deed. */
export const OTHERS = wordSet(
  'mandoob mandob mandub mndob mandoub sawa2 sawwa2 sawaq sawag shofer shofeer chauffeur delivery courier driver captain kabten bank bnk sherka sharika bawab bawwab natoor natour 7ares 7aris far3 fara3 matbakh matba5 mat3am hotel mall',
)
/** States of the customer's order, by their consonants. */
export const STATES: readonly (readonly [stems: string, kinds: readonly ClaimKind[]])[] = [
  ['mlgh mlghy mlg mlgy mtlgh mtlghy mtknsl mknsl mwqf mwf', ['cancels']],
  ['m7jz m7gz mt7gz', ['books']],
  ['mdf3 mdfw3 mkhsm', ['charges']],
  ['mt3dl m3dl mtghyr mjl mgl mtjl', ['changes']],
  ['mkd mtkd mtsgl msjl mtsjl mf3l mtf3l mthbt mzbt mtzbt', ['other', 'books']],
]
/** Consonants of "with you", "to you", "at you". */
export const WITH_YOU = wordSet(
  'm3k m3ky m3km m3km 3lk 3lyk 3lky 3lykm fk fyk fky fykm bk byk bky bykm wyk wyky lk lky lyk',
)
/** Consonants of verbs that say what was found, said or brought, which is no deed. */
export const MILD = wordSet(
  'lt l ql gl sm3 3rf fhm qr shkr sht lqt gb jb zkr dhkr shr7 wd7 shf 7k jm3 khtr rsh7 knt kn 3n 3nd m3 ktb',
)

/** Words that deny what follows. */
export const DENIALS = wordSet(
  'ma mesh mish msh mo mu la lam lan lessa lesa lissa mush mosh manni mafi wala bala mani',
)
/** Words after which a clause is conditional. */
export const CONDITIONS = wordSet(
  'law lw iza eza lamma lama ba3d b3d abl qabl 2abl 3and hal fek fik feek te2dar t2dar ti2dar tigdar mumkin momkin t7eb te7eb bet7eb 3ayez 3awez badak baddak beddak tabi tabghi lazem emta imta meta elli illi enta enti kam leh lesh keef izzay ezzay',
)
/** People of the business. */
export const STAFF = wordSet(
  'sa7eb malek momareda maktab sabbak sabak doktor doktora doctor mohandes fanni fanny khayyat moderreb 7ad 7ada 7adan a7ad wa7ad mowazaf mowazzaf muwazaf muwathaf mowathaf mowazzafa zamil zmeel zameel zameeli zamili zmili zomala zomalaa team fareeq fari2 far2 fri2 modeer mudeer mudir modir lmodeer mas2ool mas2oul mas2ul mas2ola mas2oleen shabab moshref mushrif eldam3 da3m edara idara idarah agent manager supervisor colleague staff',
)
/** Consonants of verbs for what a person of the business will do. */
export const CONTACT_SKELETONS = wordSet(
  'gy jy 7dr d dg klm twsl rd rj rj3 rg3 7k jwb gwb s3d tsl ttsl dq tb3 shf khbr blgh 7sl',
)
/** Consonants of verbs that hand a matter to a person. */
export const PASS_SKELETONS = wordSet(
  '7k 7ky 7wl wsl blgh blg khbr klm s2l sl rf3 khl qol tlb shbk',
)
/** Particles of the future. */
export const WILL = wordSet('ra7 rah ra7a 7a ha bi sawfa sa ra7 rayi7 3am jari')
/** A clause with one of these, or with a digit for a letter, may be Arabic in Latin letters. */
export const MARKERS = wordSet(
  'el il lak lek elak elek ilak talabak talabek tam tamm lel bel fel ra7 rah khalas tamam bokra bukra bokrah bukrah badein delwati halla2 shwaya beek feek law lessa bas w sawfa fik modeer',
)
