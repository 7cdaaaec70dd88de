import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indonesian } from './stem-indonesian.ts'

/** Families of everyday words: a root, and words derived from it. */
const FAMILIES = `
  tulis:menulis penulis tulisan ditulis menuliskan penulisan tertulis bertulis
  teliti:meneliti peneliti penelitian diteliti ketelitian
  main:bermain pemain mainan permainan dimainkan memainkan
  kirim:mengirim pengirim pengiriman dikirimkan kiriman mengirimkan terkirim
  terima:menerima penerima penerimaan diterima terimalah
  baca:membaca pembaca bacaan dibaca membacakan pembacaan terbaca
  makan:makanan memakan dimakan pemakan termakan makanlah
  minum:minuman meminum diminum peminum
  ajar:belajar pelajar pelajaran mengajar pengajar pengajaran mempelajari dipelajari pembelajaran
  kerja:bekerja pekerja pekerjaan mengerjakan dikerjakan kinerja
  sehat:kesehatan menyehatkan penyehatan sehatlah
  sakit:penyakit kesakitan menyakiti menyakitkan disakiti
  bangun:membangun pembangunan bangunan dibangun terbangun pembangun
  jalan:berjalan perjalanan menjalankan dijalankan jalanan pejalan
  beli:membeli pembeli pembelian dibeli belikan membelikan
  jual:menjual penjual penjualan dijual jualan terjual
  pakai:memakai pemakai pemakaian dipakai pakaian terpakai
  pimpin:memimpin pemimpin pimpinan kepemimpinan dipimpin
  didik:mendidik pendidik pendidikan dididik terdidik
  ekonomi:perekonomian ekonominya
  politik:politiknya berpolitik
  vaksin:vaksinnya divaksin memvaksin
  lihat:melihat terlihat dilihat penglihatan memperlihatkan kelihatan
  dengar:mendengar pendengar pendengaran terdengar didengarkan
  tanya:bertanya pertanyaan menanyakan ditanya penanya
  jawab:menjawab jawaban dijawab penjawab
  pilih:memilih pemilih pemilihan dipilih pilihan terpilih
  layan:melayani pelayan pelayanan dilayani layanan
  tumbuh:tumbuhan bertumbuh pertumbuhan menumbuhkan
  ubah:mengubah perubahan diubah berubah pengubah
  kembang:berkembang perkembangan mengembangkan pengembangan dikembangkan
  temu:bertemu pertemuan menemukan penemuan ditemukan penemu ditemui
  tani:petani pertanian bertani
  rumah:perumahan rumahnya berumah
  daftar:mendaftar pendaftaran terdaftar didaftarkan pendaftar
  kuasa:berkuasa kekuasaan menguasai penguasa dikuasai
  besar:membesar pembesar kebesaran memperbesar terbesar sebesar
  baik:memperbaiki perbaikan kebaikan diperbaiki terbaik sebaiknya
  tahu:mengetahui pengetahuan diketahui ketahuan
  laku:melakukan pelaku perlakuan kelakuan dilakukan berlaku pemberlakuan
  hasil:berhasil keberhasilan menghasilkan penghasilan dihasilkan
  putus:memutuskan keputusan putusan diputuskan terputus pemutusan
  bantu:membantu bantuan pembantu dibantu
  dapat:mendapat pendapat pendapatan mendapatkan didapat berpendapat
  ada:berada keberadaan mengadakan pengadaan diadakan
  hidup:kehidupan menghidupkan penghidupan
  cinta:mencintai pecinta percintaan dicintai kecintaan
  pikir:berpikir pemikiran pikiran memikirkan pemikir
  atur:mengatur peraturan aturan diatur pengaturan teratur
  tempat:menempati penempatan ditempatkan setempat bertempat
  merdeka:kemerdekaan memerdekakan
`

/** Each with its stem: roots that look derived, clitics, loan words, doubtful letters. */
const WORDS = `
  nilai:nilai menilai:nilai penilaian:nilai pantai:pantai kepala:kepala sekarang:sekarang sejarah:sejarah
  menteri:menteri kementerian:menteri beruang:beruang sekolah:sekolah perempuan:perempuan masalah:masalah
  permasalahan:masalah masalahnya:masalah kulitkupun:kulit bukumukah:buku miliknyalah:milik siapapun:siapa
  hancurlah:hancur benarkah:benar seharusnya:harus sebaiknya:baik kampanyenya:kampanye websitenya:website
  memakan:makan memasak:masak menekan:tekan mengandung:kandung mengurangi:kurang mengupas:kupas
  mengurus:urus mengalahkan:kalah menyanyi:nyanyi menyapu:sapu menyaring:saring mengecat:cat pengeboman:bom
  perusakan:rusak peralatan:alat pemerintah:perintah keterpurukan:puruk ketersediaan:sedia
  memperbarui:baru keberhasilan:hasil bekerja:kerja beternak:ternak berambut:rambut karyawan:karya
  wartawati:warta bersertifikasi:sertifikasi mengkolonisasi:kolonisasi perbankan:bank televisi:televisi
  dan:dan di:di asean:asean jakarta:jakarta
`

/** Spoken and written forms beyond the rules of dictionaries, loan words, and names that look derived. */
const RARE_WORDS = `
  kubaca:baca kulihat:lihat kuberikan:beri kaulihat:lihat kuasa:kuasa kutai:kutai kaustik:kaustik
  bebatuan:batu dedaunan:daun pepohonan:pohon rerata:rata wewangian:wangi tetangga:tetangga
  ketidakadilan:adil ketidakpastian:pasti ketidakpercayaannya:percaya
  ngambil:ambil ngajak:ajak nyari:cari nyambung:sambung mikirin:pikir nungguin:tunggu ngerjain:kerja
  ninja:ninja maha:maha plugin:plugin heparin:heparin nyali:nyali
  idealisme:ideal idealis:ideal finalisasi:final imunisasi:imun diimunisasi:imun vaksinasi:vaksin
  organisasi:organisasi mobilisasi:mobilisasi merealisasikan:realisasi terealisasi:realisasi
  pemrograman:program memroses:proses mengunduh:unduh diunggah:unggah mengetik:ketik memprediksi:prediksi
  disetujui:setuju persetujuan:setuju perasaan:rasa terasa:rasa pelebaran:lebar
  pengeringan:kering mengetuai:ketua mengesahkan:sah mengajukan:aju pencari:cari mengecat:cat
  pemilu:pemilu bekasi:bekasi kediri:kediri maluku:maluku lebaran:lebaran
`

const pairs = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':'))

test('the words of an Indonesian family have one stem', () => {
  for (const line of FAMILIES.trim().split('\n')) {
    const [root = '', words = ''] = line.trim().split(':')
    for (const word of words.split(' ')) assert.equal(indonesian(word), root, word)
  }
})

test('an Indonesian word gives up its affixes, and nothing that only looks like one', () => {
  for (const [word = '', stem] of pairs(WORDS)) assert.equal(indonesian(word), stem, word)
})

test('spoken and doubled words, loan words and names have the stems that readers expect', () => {
  for (const [word = '', stem] of pairs(RARE_WORDS)) assert.equal(indonesian(word), stem, word)
})

test('what is no plain word stays as it is', () => {
  for (const word of ['', 'café', "jum'at", '2026', 'ke-2', 'x'.repeat(64)]) {
    assert.equal(indonesian(word), word)
  }
})
