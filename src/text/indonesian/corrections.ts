// What rules and word list get wrong, put right by hand. `training/indonesian/make-roots.ts` reads the first
// three when it makes the list of roots; after a change to them it must be run again.

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words that look derived and are not: "beruang" (bear) is no form of "uang" (money). */
export const WHOLE_WORDS: readonly string[] = words(`
  beranda berangkat berani berapa berdikari berilium beringin berisik beruang berudu diagnostik diare
  diatom dielektrik difusi digraf dinasti dioksida dipan diraja dispenser divisi dominican durian gunawan
  jurnalis kemudian kendara kolonisasi kuningan lokalisasi medali media median meditasi melayu memori
  menara mendiang mengapa menjangan mentari menteri mentimun merana meranti mereka meriam merica meterai
  mobilisasi organis organisasi organisme otorisasi pegawai pelangi pelikan peluang peluru pengantin
  penghulu penjara penjuru pepatah pepaya perahu perangai peranti perawan percaya perdana perempuan peria
  perisai peristiwa perkara permata permisi persen persis pertama pesawat pesiar pesisir rambutan
  realisasi sebelas seberang sedia segala segera sejarah sejati sekarang sekolah sekutu selada seladang
  selai selamat selaras selatan selempang selesa selokan seloki seluruh semangat semantik semarak
  semenanjung sementara semua senapan senyawa sepatu sepeda serabut serai serawak serentak setempel setia
  setuju sevilla sosialisasi spesialis teheran terali terapi terasi teratai teriak terigu terima terjemah
  terompet`)

/** Common roots that the word list lacks. */
export const MORE_ROOTS: readonly string[] = words(`
  acu aju antre apa basis bentrok bugar candi centang cicil coblos daulat daur depak deteksi donor edit
  emban evaluasi filter gadai gandrung henyak imbau incar instal isap jebol juluk jungkir kabar kecam
  kencan keroyok ketik kikis klaim klik kode kolonisasi konfirmasi konsultasi kuras kurung lafal langgan
  leceh legal longsor luap melarat mudik murtad musyawarah nganga ngotot nobat nyali optimal otorisasi
  pantau pasok patok pidana pilah pinta pompa prediksi puruk qasar ramban raup razia rekayasa relokasi
  reset respon respons revisi rilis rinci ronta rosot ruwat samak sanksi sapih saring sawit sebal segel
  sejahtera selip semi sempat setor setuju siapa sidik simak skors sodor solusi sortir sosialisasi spasi
  sulap survei swadaya syukur tadah tandang tanggulang tani tarung tawa teken telaah telantar telusur
  tempuh tengadah tepis tikung tilang tipe titip tuding tuntun ukur umbar unduh unggah urai usut
  verifikasi vonis wacana wakaf wisuda`)

/** Words of the list that are rarer than the ones they are mistaken for: "alah" for "kalah". */
export const NO_ROOTS: readonly string[] = words('akuan alah anga asa ikis kenyata sala sata usak')

/** Names and words of the news that are whole, though other words may be read in them. */
const NAMES: readonly string[] = words(`
  asahan bekasi kediri kejagung kejari lebaran maluku megawati mentawai mesuji pekalongan pemalang pemilu
  persebaya persela pesawaran serui tarakan terawan`)

/** Stems that no rule gives. */
export const STEMS: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name): [string, string] => [name, name]),
  ['berikan', 'beri'],
  ['dedaunan', 'daun'],
  ['ilmuwan', 'ilmu'],
  ['jutawan', 'juta'],
  ['kinerja', 'kerja'],
  ['menganga', 'nganga'],
  ['ngaku', 'aku'],
  ['pejalan', 'jalan'],
  ['perbankan', 'bank'],
  ['pertanggungjawaban', 'tanggungjawab'],
  ['rerumputan', 'rumput'],
  ['teroris', 'teror'],
  ['vaksinasi', 'vaksin'],
])
