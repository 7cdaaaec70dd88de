// Manual corrections of the rules and the word list. `training/indonesian/make-roots.ts` reads the first
// three when it makes the list of roots; it must be run again after a change to them.

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words that look derived but are not: "beruang" (bear) is no form of "uang" (money). */
export const WHOLE_WORDS: readonly string[] = words(`
  beranda berangkat berani berapa berdikari berilium beringin berisik beruang berudu diagnostik diare
  diatom dielektrik difusi digraf dinasti dioksida dipan diraja dispenser divisi dominican durian gunawan
  jurnalis kemudian kendara kolonisasi kuningan lokalisasi medali media median meditasi melayu memori
  menara mendiang mengapa menjangan mentari menteri mentimun merana meranti mereka meriam merica meterai
  mobilisasi organis organisasi organisme otorisasi pegawai pelangi pelikan peluang peluru pengantin
  penghulu penjara penjuru pepatah pepaya perahu perangai peranti perawan percaya perdana perempuan peria
  perisai peristiwa perkara permata permisi persen persis pertama pesawat pesiar pesisir rambutan
  realisasi sebelas seberang sedia segala segera sejarah sejati sekarang sekolah sekutu selada seladang
  selai selamat selancar selaras selatan selempang selesa selokan seloki seluruh semangat semantik semarak
  semenanjung sementara semir semua senapan senyawa sepatu sepeda serabut serai serawak serentak setempel
  setia setuju sevilla sosialisasi spesialis teheran terali terapi terasi teratai teriak terigu terima
  terjemah terompet`)

/** Common roots that the word list lacks. */
export const MORE_ROOTS: readonly string[] = words(`
  acu acuh adon advokasi aju akurasi amen ampelas angon antre anulir apa asumsi ayom bahana bajik
  bangsawan basis belalak bengkalai bentrok berangus bineka blokir bombardir bonceng brutal bugar candi
  caplok celetuk centang cicil cicip ciprat coblos cokol contek cuil cuplik damprat daulat daur depak
  dermawan desah deteksi dobrak dompleng donor edit ejawantah ekspos elaborasi emban endus enyah evaluasi
  filter fluktuasi formulasi gadai gaet galau gandrung gentayang gerah gerayang gerogot gerombol gerundel
  gidik giur golak gubris gugah gulat gumul henyak imbau impas incar injak instal inventarisasi irit isap
  jambret jeblos jebol jepret joget jubel juluk jungkir juntai kabar kabung kaisar kapar kastrasi kategori
  kaul kecam kencan kepit keroyok kesima ketik khotbah kibul kikis klaim klarifikasi klik kode kokang
  kolonisasi kompilasi konfirmasi konsultasi kucil kulai kulum kumur kungkung kuras kurung lafal lambang
  lampias langgan leceh legal leluasa likuidasi linang longsor luap maki makzul melarat mentereng mudik
  mulus mungkar murtad musyawarah nazar negosiasi nganga ngotot nobat nyali obrol observasi oleng optimal
  otorisasi pailit pampang pantau pasok pasrah patok patri paut pelonco pendar penetrasi pidana
  pijit pilah pindai pinta piting pompa pose prediksi puntir puruk qasar ramban raup razia registrasi
  rekayasa relokasi rengkuh reset respon respons retas revisi rilis rinci rogoh ronta rosot ruwat sabet
  sabung salip samak sanggul sanksi sapih saring sawit sebal sedak seduh segel sejahtera selancar selip
  selisik selusup semi semir sempat sentil seruduk seruput serut sesap setor setrum setuju siapa sibak
  sidik simak sinambung singsing sipit sipu sitir siul skors sodor sohor solusi songsong sortir
  sosialisasi spasi suguh sulap sulut sungkur survei swadaya syair syukur tabulasi tadah takwa tamasya
  tandang tanggulang tani tarung tawa tawur tebas tebeng teken tekor telaah telantar telentang
  telusur tempuh tenar tengadah tenggak tengger tepis tikung tilang tilap tindik tipe titip toleh tongol
  transplantasi tuding tumis tuntun uber ukur ulah ulek ulik umbar unduh unggah ungkit unjuk urai usut
  verifikasi vonis wacana wakaf wisuda`)

/** Words of the list that are rarer than the words they are mistaken for: "alah" for "kalah". */
export const NO_ROOTS: readonly string[] = words(
  'akuan alah anga asa ikis kenyata madat memakuk mengajuk menyaruk sala sata usak',
)

/** Names and news words that are whole, though they contain other words. */
const NAMES: readonly string[] = words(`
  asahan bekasi kediri kejagung kejari lebaran maluku megawati mentawai mesuji pekalongan pemalang pemilu
  persebaya persela pesawaran serui tarakan terawan`)

/** Stems that no rule gives. */
export const STEMS: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name): [string, string] => [name, name]),
  ['berikan', 'beri'],
  ['berhak', 'hak'],
  ['dedaunan', 'daun'],
  ['ilmuwan', 'ilmu'],
  ['jutawan', 'juta'],
  ['kinerja', 'kerja'],
  ['menganga', 'nganga'],
  ['ngaku', 'aku'],
  ['pejalan', 'jalan'],
  ['pencari', 'cari'],
  ['penggali', 'gali'],
  ['keretakan', 'retak'],
  ['perbankan', 'bank'],
  ['pertanggungjawaban', 'tanggungjawab'],
  ['rerumputan', 'rumput'],
  ['sejarawan', 'sejarah'],
  ['teroris', 'teror'],
  ['vaksinasi', 'vaksin'],
])
