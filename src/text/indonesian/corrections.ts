// What rules and word list get wrong, put right by hand. `training/indonesian/make-roots.ts` reads the first
// three when it makes the list of roots; after a change to them it must be run again.

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words that look derived and are not: "beruang" (bear) is no form of "uang" (money). */
export const WHOLE_WORDS: readonly string[] = words(`
  beranda berangkat berani berdikari berilium beringin berisik beruang berudu diagnostik diare diatom
  dielektrik difusi digraf dinasti dioksida dipan diraja dispenser divisi dominican durian gunawan kemudian
  kendara kuningan medali media median meditasi melayu memori menara mendiang mengapa menjangan mentari
  menteri mentimun merana meranti mereka meriam merica meterai pegawai pelangi pelikan peluang peluru
  pengantin penghulu penjara penjuru pepatah pepaya perahu perangai peranti perawan percaya perdana perempuan
  peria perisai peristiwa perkara permata permisi persen persis pertama pesawat pesiar pesisir rambutan
  sebelas seberang sedia segala segera sejarah sejati sekarang sekolah sekutu selada seladang selai selamat
  selatan selempang selesa selokan seloki seluruh semangat semantik semarak semenanjung sementara semua
  senapan senyawa sepatu sepeda serabut serai serawak serentak setempel setia sevilla teheran terali terapi
  terasi teratai teriak terigu terima terjemah terompet`)

/** Common roots that the word list lacks. */
export const MORE_ROOTS: readonly string[] = words(`
  aju daulat evaluasi gandrung imbau isap kabar kikis klaim kurung lafal langgan mudik murtad pantau pasok patok
  pompa puruk raup rinci ronta samak sapih saring sebal sejahtera segel semi sempat setuju sidik sulap syukur tandang
  tani tawa telaah telusur tempuh tengadah tikung tilang titip tuding tuntun ukur urai vonis`)

/** Words of the list that are rarer than the ones they are mistaken for: "alah" for "kalah". */
export const NO_ROOTS: readonly string[] = words('akuan alah ikis kenyata sala sata usak')

/** Stems that no rule gives. */
export const STEMS: ReadonlyMap<string, string> = new Map([
  ['berikan', 'beri'],
  ['ilmuwan', 'ilmu'],
  ['jutawan', 'juta'],
  ['kinerja', 'kerja'],
  ['pejalan', 'jalan'],
  ['perbankan', 'bank'],
])
