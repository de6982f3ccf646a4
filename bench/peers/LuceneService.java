import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.minhash.MinHashFilter;
import org.apache.lucene.analysis.shingle.ShingleFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

/**
 * A service by Lucene's MinHash: java -cp JARS LuceneService.java TEXTS PORT FOLDER.
 *
 * <p>TEXTS has one text a line. POST /query takes a text; GET /similar?id=N asks by a line. Both answer [{"id", "score"}] of at
 * most 100 texts that have half of its least hashes in the same buckets, as Solr's parser min_hash asks.
 */
public class LuceneService {
  static final int WORDS = 10;
  static final int BUCKETS = 512;
  static final double THRESHOLD = 0.5;
  static final int MOST = 100;

  static final Analyzer ANALYZER =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          WhitespaceTokenizer words = new WhitespaceTokenizer();
          ShingleFilter shingles = new ShingleFilter(words, WORDS, WORDS);
          shingles.setOutputUnigrams(false);
          return new TokenStreamComponents(words, new MinHashFilter(shingles, 1, BUCKETS, 1, true));
        }
      };

  static IndexSearcher searcher;
  static List<String> texts = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    FSDirectory folder = FSDirectory.open(Path.of(arguments[2]));
    try (IndexWriter writer = new IndexWriter(folder, new IndexWriterConfig(ANALYZER));
        var lines = Files.newBufferedReader(Path.of(arguments[0]))) {
      for (String line; (line = lines.readLine()) != null; ) {
        Document document = new Document();
        document.add(new StoredField("id", texts.size()));
        document.add(new TextField("hashes", line, Field.Store.NO));
        writer.addDocument(document);
        texts.add(line);
      }
    }
    searcher = new IndexSearcher(DirectoryReader.open(folder));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1])), 0);
    server.setExecutor(Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors()));
    server.createContext("/query", LuceneService::query);
    server.createContext("/similar", LuceneService::similar);
    server.start();
  }

  static void query(HttpExchange exchange) throws IOException {
    answer(exchange, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
  }

  static void similar(HttpExchange exchange) throws IOException {
    answer(exchange, texts.get(Integer.parseInt(exchange.getRequestURI().getQuery().substring("id=".length()))));
  }

  static void answer(HttpExchange exchange, String text) throws IOException {
    StringBuilder json = new StringBuilder("[");
    try {
      Set<String> hashes = hashesOf(text);
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      for (String hash : hashes) query.add(new ConstantScoreQuery(new TermQuery(new Term("hashes", hash))), Occur.SHOULD);
      query.setMinimumNumberShouldMatch((int) Math.ceil(THRESHOLD * hashes.size()));
      for (ScoreDoc hit : searcher.search(query.build(), MOST).scoreDocs) {
        int id = searcher.storedFields().document(hit.doc).getField("id").numericValue().intValue();
        if (json.length() > 1) json.append(',');
        json.append("{\"id\":").append(id).append(",\"score\":").append(hit.score / hashes.size()).append('}');
      }
    } catch (IOException | RuntimeException error) {
      exchange.sendResponseHeaders(500, -1);
      throw error;
    }
    byte[] bytes = json.append(']').toString().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  static Set<String> hashesOf(String text) throws IOException {
    Set<String> hashes = new LinkedHashSet<>();
    try (TokenStream tokens = ANALYZER.tokenStream("hashes", new StringReader(text))) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) hashes.add(term.toString());
      tokens.end();
    }
    return hashes;
  }
}
